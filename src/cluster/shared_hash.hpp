/// What boxes compare in the engine without reading it: refs, numbers and pairs.
#pragma once

#include "src/base/hash.hpp"
#include "src/base/hex.hpp"

#include <span>
#include <string>
#include <string_view>

namespace smsrack::cluster {

/// In hexadecimal digits: what clients wrote may have any octets.
[[nodiscard]] inline std::string shared_hash(std::string_view text) {
    const auto hash = hash128(text);
    return hex_of(std::as_bytes(std::span(hash)));
}

}  // namespace smsrack::cluster
