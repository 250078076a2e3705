/// The largest answer that a call may give. The client's account must have room for it before the
/// call begins.
///
/// Unit:    octets, of a whole answer or of the first piece of a stream.
#pragma once

#include "src/api/routes.hpp"

#include <cstddef>

namespace smsrack::api {

/// A page of a list ends with the row that reaches this, whatever `limit` allows.
inline constexpr std::size_t page_bytes_max = 512UL * 1024;

/// Null: there is no such call, which is said in few words.
[[nodiscard]] std::size_t answer_bytes(const Route* route);

}  // namespace smsrack::api
