/// The three roles: what a caller may do, on the local socket and over the network.
///
/// Each role has the rights of those before it.
/// Source:  docs/rights.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::access {

enum class Role : std::uint8_t {
    send,   ///< sends, and sees, follows and cancels its own messages
    read,   ///< sees everything
    admin,  ///< changes everything
};

inline constexpr std::array<std::string_view, 3> role_names{"send", "read", "admin"};

[[nodiscard]] constexpr std::string_view role_name(Role role) {
    return role_names.at(static_cast<std::size_t>(role));
}

/// nullopt if no role has this name.
[[nodiscard]] constexpr std::optional<Role> role_of(std::string_view name) {
    const auto* const found = std::ranges::find(role_names, name);
    return found == role_names.end() ? std::nullopt
                                     : std::optional(static_cast<Role>(found - role_names.begin()));
}

}  // namespace smsrack::access
