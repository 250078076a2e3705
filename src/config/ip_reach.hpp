/// How far away an address is: what a program that sends to addresses of a configuration may reach.
///
/// An IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4) is judged as itself.
/// Source:  RFC 6890, RFC 1918, RFC 4193, RFC 4291, RFC 6052, RFC 8215, RFC 3056
#pragma once

#include "src/config/ip_address.hpp"

#include <cstdint>

namespace smsrack::config {

enum class IpReach : std::uint8_t {
    open,   ///< the Internet
    local,  ///< this machine and private networks
    never,  ///< link-local, metadata services of clouds, multicast, "this network", reserved
};

[[nodiscard]] IpReach reach_of(const IpAddress& address);

}  // namespace smsrack::config
