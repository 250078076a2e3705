#include "src/config/ip_address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <ranges>

namespace smsrack::config {
namespace {

constexpr std::size_t v4_begin = 12;
constexpr std::array<std::uint8_t, v4_begin> v4_front{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

}  // namespace

bool IpAddress::is_v4() const {
    return std::ranges::equal(v4_front, octets | std::views::take(v4_begin));
}

bool IpAddress::is_loopback() const {
    constexpr std::uint8_t v4_loopback = 127;
    IpAddress v6;
    v6.octets.back() = 1;
    return is_v4() ? octets[v4_begin] == v4_loopback : *this == v6;
}

std::string IpAddress::text() const {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const bool v4 = is_v4();
    (void)::inet_ntop(v4 ? AF_INET : AF_INET6, octets.data() + (v4 ? v4_begin : 0), text.data(),
                      text.size());
    return text.data();
}

IpAddress IpAddress::client_network() const {
    constexpr std::size_t network = 8;
    IpAddress address = *this;
    if (!is_v4()) {
        std::fill(address.octets.begin() + network, address.octets.end(), std::uint8_t{0});
    }
    return address;
}

std::optional<IpAddress> ip_address_of(std::string_view text) {
    const std::string zero_ended(text);
    IpAddress address;
    if (zero_ended.size() != std::string_view(zero_ended.c_str()).size()) {
        return std::nullopt;
    }
    if (::inet_pton(AF_INET6, zero_ended.c_str(), address.octets.data()) == 1) {
        return address;
    }
    std::ranges::copy(v4_front, address.octets.begin());
    return ::inet_pton(AF_INET, zero_ended.c_str(), address.octets.data() + v4_begin) == 1
               ? std::optional(address)
               : std::nullopt;
}

std::optional<ListenAddress> listen_address_of(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view host = text.substr(0, colon);
    const std::string_view port = text.substr(colon + 1);
    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    if (bracketed) {
        host = host.substr(1, host.size() - 2);
    }
    const auto address = ip_address_of(host);
    ListenAddress listen;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), listen.port);
    if (!address || bracketed != host.contains(':') || error != std::errc() ||
        end != port.data() + port.size() || listen.port == 0) {
        return std::nullopt;
    }
    listen.address = *address;
    return listen;
}

}  // namespace smsrack::config
