/// How large a page of a list may be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace smsrack::api {

/// Most octets of a page that goes to a client.
inline constexpr std::size_t page_octets_max = 512UL * 1024;

/// Octets of JSON in the letter of a fleet, where it is a string in other JSON.
[[nodiscard]] inline std::size_t octets_in_letter(std::string_view json) {
    const auto is_escaped = [](char c) { return c == '"' || c == '\\'; };
    return json.size() + static_cast<std::size_t>(std::ranges::count_if(json, is_escaped));
}

/// A page ends before the row that would exceed it; its first row is always written.
struct PageBound {
    std::size_t octets_max = page_octets_max;
    bool is_in_letter = false;

    [[nodiscard]] std::size_t octets_of(std::string_view row) const {
        return is_in_letter ? octets_in_letter(row) : row.size();
    }
};

struct PageSize {
    std::size_t rows;  ///< most of them
    PageBound bound = {};
};

}  // namespace smsrack::api
