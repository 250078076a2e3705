#include "firmware-host/gate/webhook/socket_address.hpp"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <sys/socket.h>

namespace smsrack::gate {

std::optional<config::IpAddress> ip_address_of(const sockaddr& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* octets = nullptr;
    if (address.sa_family == AF_INET) {
        octets = &reinterpret_cast<const sockaddr_in&>(address).sin_addr;
    } else if (address.sa_family == AF_INET6) {
        octets = &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    }
    if (octets == nullptr ||
        ::inet_ntop(address.sa_family, octets, text.data(), text.size()) == nullptr) {
        return std::nullopt;
    }
    return config::ip_address_of(text.data());
}

}  // namespace smsrack::gate
