#include "src/config/ip_reach.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace smsrack::config {
namespace {

using Octets = std::array<std::uint8_t, 16>;

struct Range {
    Octets first = {};
    std::size_t bits = 0;  // of the prefix
    IpReach reach = IpReach::open;
};

constexpr Octets v4(std::uint8_t a, std::uint8_t b) {
    return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, a, b};
}
constexpr std::size_t v4_bits = 96;

/// The first that has the address decides.
constexpr std::array ranges{
    Range{v4(0, 0), v4_bits + 8, IpReach::never},       // this network
    Range{v4(10, 0), v4_bits + 8, IpReach::local},      // private
    Range{v4(127, 0), v4_bits + 8, IpReach::local},     // loopback
    Range{v4(169, 254), v4_bits + 16, IpReach::never},  // link-local, metadata of clouds
    Range{v4(172, 16), v4_bits + 12, IpReach::local},   // private
    Range{v4(192, 168), v4_bits + 16, IpReach::local},  // private
    Range{v4(224, 0), v4_bits + 4, IpReach::never},     // multicast
    Range{v4(240, 0), v4_bits + 4, IpReach::never},     // reserved, broadcast
    Range{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, IpReach::local},  // loopback
    Range{{}, 128, IpReach::never},                                                // unspecified
    Range{{0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, IpReach::never},
    Range{{0xFC}, 7, IpReach::local},         // unique local
    Range{{0xFE, 0x80}, 10, IpReach::never},  // link-local
    Range{{0xFE, 0xC0}, 10, IpReach::never},  // site-local, deprecated
    Range{{0xFF}, 8, IpReach::never},         // multicast
};

bool has(const Octets& first, std::size_t bits, const Octets& octets) {
    const std::size_t whole = bits / 8;
    const unsigned rest = bits % 8;
    return std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(whole),
                      octets.begin()) &&
           (rest == 0 || ((first[whole] ^ octets[whole]) >> (8 - rest)) == 0);
}

IpReach reach_of_itself(const Octets& octets) {
    const auto* const found = std::ranges::find_if(
        ranges, [&](const Range& range) { return has(range.first, range.bits, octets); });
    return found == ranges.end() ? IpReach::open : found->reach;
}

/// Where an IPv6 address of this prefix has the octets of an IPv4 address. A network divides the
/// prefix of NAT64 for local use as it likes, so each length is read.
/// Source: RFC 6052 2.2; RFC 8215.
struct Embedding {
    Octets first = {};
    std::size_t bits = 0;
    std::array<std::size_t, 4> places = {};
    bool perhaps = false;  // 0.0.0.0/8, which no packet leads to: the address is of another form
};

constexpr std::array embeddings{
    Embedding{{0, 0x64, 0xFF, 0x9B}, 96, {12, 13, 14, 15}},              // NAT64
    Embedding{{0, 0x64, 0xFF, 0x9B, 0, 1}, 48, {12, 13, 14, 15}, true},  // NAT64, a /96 of it
    Embedding{{0, 0x64, 0xFF, 0x9B, 0, 1}, 48, {9, 10, 11, 12}, true},   // a /64
    Embedding{{0, 0x64, 0xFF, 0x9B, 0, 1}, 48, {7, 9, 10, 11}, true},    // a /56
    Embedding{{0, 0x64, 0xFF, 0x9B, 0, 1}, 48, {6, 7, 9, 10}, true},     // all of it
    Embedding{{0x20, 0x02}, 16, {2, 3, 4, 5}},                           // 6to4
    Embedding{{}, 96, {12, 13, 14, 15}},                                 // compatible, deprecated
};

/// The nearer one decides: what may never be reached, whatever the other reading says.
IpReach nearer(IpReach a, IpReach b) {
    return std::max(a, b);
}

}  // namespace

IpReach reach_of(const IpAddress& address) {
    IpReach reach = reach_of_itself(address.octets);
    if (address.is_v4() || reach == IpReach::local) {
        return reach;
    }
    for (const Embedding& embedding : embeddings) {
        if (has(embedding.first, embedding.bits, address.octets)) {
            Octets inner = v4(0, 0);
            for (std::size_t i = 0; i < embedding.places.size(); ++i) {
                inner[12 + i] = address.octets[embedding.places[i]];
            }
            if (!embedding.perhaps || inner[12] != 0) {
                reach = nearer(reach, reach_of_itself(inner));
            }
        }
    }
    return reach;
}

}  // namespace smsrack::config
