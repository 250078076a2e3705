/// The address of a receiver: "https://crm.example:8443/hook?site=3".
///
/// Only what a configuration may name: http or https, no name and password, no fragment. A host in a
/// numeric form that only some readers take for an address ("0x7f.1", "2130706433", "0177.0.0.1") is
/// refused, so that what is checked is what is called.
/// Errors:  nullopt: not such an address.
/// Source:  RFC 3986 3
#pragma once

#include "src/config/ip_address.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::config {

struct HttpUrl {
    bool tls = false;                       ///< https
    std::string host = {};                  ///< small letters; of IPv6 without brackets
    std::optional<IpAddress> address = {};  ///< of a host that is one; nullopt: a name
    std::uint16_t port = 0;
    std::string path = {};  ///< "/" at least
    bool has_query = false;
};

inline constexpr std::size_t url_octets_max = 2'048;

[[nodiscard]] std::optional<HttpUrl> http_url_of(std::string_view text);

/// The same without what follows the "?", which may hold a secret: "https://crm.example/hook?...".
[[nodiscard]] std::string without_query(std::string_view url);

}  // namespace smsrack::config
