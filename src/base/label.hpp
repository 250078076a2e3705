/// A label that a client chooses: the batch of a message, or the tag of an event's user.
#pragma once

#include <cstddef>
#include <string_view>

namespace smsrack {

inline constexpr std::size_t label_octets_max = 64;

/// 1 to 64 of letters, digits, "_", "-", "." and ":".
[[nodiscard]] constexpr bool is_label(std::string_view text) {
    constexpr std::string_view allowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.:";
    return !text.empty() && text.size() <= label_octets_max &&
           text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace smsrack
