/// Where a request comes from: its client's address, also behind a proxy that the operator trusts.
///
/// Threads: loop thread.
#pragma once

#include "src/config/ip_address.hpp"
#include "src/wire/http_message.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::gate {

struct ClientPlace {
    std::string address = {};
    std::uint32_t network = 0;  ///< by which limits count
    bool is_proxy = false;      ///< a trusted one, which does not say for whom it calls
};

class ClientAddresses {
public:
    /// `key`: by chance, so that no client can choose addresses that share a number with another's.
    ClientAddresses(const std::vector<std::string>& trusted_proxies, std::string key);

    [[nodiscard]] ClientPlace of(const wire::HttpRequest& request) const;

    /// An IPv4 address, or the /64 of an IPv6 address, as a number.
    [[nodiscard]] std::uint32_t network_of(std::string_view address) const;
    [[nodiscard]] bool is_trusted(std::string_view address) const;

private:
    std::vector<config::IpAddress> trusted_;
    const std::string key_;
};

}  // namespace smsrack::gate
