/// The list of tokens that were revoked over the API, as a file has it: the service may not write the
/// file of the tokens.
///
/// Unit:    a line a token, its SHA-256; lines that are none are left out.
/// Bound:   tokens_max.
/// Threads: values.
#pragma once

#include "src/access/token.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::access {

/// In the folder of the service's socket: what the gate reads.
inline constexpr std::string_view revoked_name = "revoked-tokens";

[[nodiscard]] std::vector<std::string> revoked_of(std::string_view file);
[[nodiscard]] std::string text_of_revoked(const std::vector<std::string>& hashes);

}  // namespace smsrack::access
