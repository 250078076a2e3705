/// Numeric addresses of IP, as a configuration names them.
///
/// Errors:  nullopt: not such a text. Names of hosts are none: nothing is looked up.
/// Source:  RFC 4291 2.2, RFC 3986 3.2.2 (brackets)
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::config {

struct IpAddress {
    /// Of IPv6; an IPv4 address is ::ffff:a.b.c.d.
    std::array<std::uint8_t, 16> octets = {};

    [[nodiscard]] bool is_v4() const;
    [[nodiscard]] bool is_loopback() const;
    /// "192.0.2.1" or "2001:db8::1".
    [[nodiscard]] std::string text() const;
    /// The network that one client has as a whole: its /64, or its one IPv4 address.
    [[nodiscard]] IpAddress client_network() const;

    friend auto operator<=>(const IpAddress&, const IpAddress&) = default;
};

[[nodiscard]] std::optional<IpAddress> ip_address_of(std::string_view text);

struct ListenAddress {
    IpAddress address = {};
    std::uint16_t port = 0;
};

/// "0.0.0.0:8775" or "[::]:8775".
[[nodiscard]] std::optional<ListenAddress> listen_address_of(std::string_view text);

}  // namespace smsrack::config
