/// A network of IP addresses: those that begin with the same bits.
///
/// Errors:  nullopt: not such a text, or bits behind its length are set.
/// Source:  RFC 4632 3.1, RFC 4291 2.3
#pragma once

#include "src/config/ip_address.hpp"

#include <optional>
#include <string_view>

namespace smsrack::config {

struct IpNetwork {
    IpAddress first = {};
    unsigned bits = 0;  ///< of the 128 of IPv6; an IPv4 network has 96 more than its text says

    [[nodiscard]] bool contains(const IpAddress& address) const;

    bool operator==(const IpNetwork&) const = default;
};

/// "192.0.2.0/24", "2001:db8::/32", or one address.
[[nodiscard]] std::optional<IpNetwork> ip_network_of(std::string_view text);

}  // namespace smsrack::config
