#include "src/config/ip_network.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace smsrack::config {
namespace {

constexpr unsigned bits_max = 128;
constexpr unsigned v4_begin = 96;

/// The first `bits` of it; the others are 0.
IpAddress front_of(IpAddress address, unsigned bits) {
    for (unsigned i = 0; i < address.octets.size(); ++i) {
        const unsigned kept = std::clamp(static_cast<int>(bits) - static_cast<int>(8 * i), 0, 8);
        address.octets.at(i) &= static_cast<std::uint8_t>(0xFF00U >> kept);
    }
    return address;
}

}  // namespace

bool IpNetwork::contains(const IpAddress& address) const {
    return front_of(address, bits) == first;
}

std::optional<IpNetwork> ip_network_of(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto address = ip_address_of(text.substr(0, slash));
    if (!address) {
        return std::nullopt;
    }
    const unsigned begin = address->is_v4() ? v4_begin : 0;
    unsigned length = bits_max - begin;
    if (slash != std::string_view::npos) {
        const std::string_view digits = text.substr(slash + 1);
        unsigned said = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), said);
        if (error != std::errc() || end != digits.data() + digits.size() || said > length) {
            return std::nullopt;
        }
        length = said;
    }
    const IpNetwork network{.first = front_of(*address, begin + length), .bits = begin + length};
    return network.first == *address ? std::optional(network) : std::nullopt;
}

}  // namespace smsrack::config
