#include "src/base/keyed_hash.hpp"

#include <bit>
#include <cstddef>

namespace smsrack {
namespace {

/// Up to eight octets as a number, the first one lowest.
template <typename Octets>
std::uint64_t little_endian(const Octets& octets, std::size_t begin, std::size_t count) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) {
        word |= std::uint64_t{static_cast<std::uint8_t>(octets[begin + i])} << (8 * i);
    }
    return word;
}

class SipState {
public:
    explicit SipState(const HashKey& key) {
        const std::uint64_t low = little_endian(key, 0, 8);
        const std::uint64_t high = little_endian(key, 8, 8);
        a_ ^= low;
        b_ ^= high;
        c_ ^= low;
        d_ ^= high;
    }

    void take(std::uint64_t word) {
        d_ ^= word;
        rounds(2);
        a_ ^= word;
    }

    [[nodiscard]] std::uint64_t end() {
        c_ ^= 0xFF;
        rounds(4);
        return a_ ^ b_ ^ c_ ^ d_;
    }

private:
    void rounds(int count) {
        for (int i = 0; i < count; ++i) {
            a_ += b_;
            c_ += d_;
            b_ = std::rotl(b_, 13) ^ a_;
            d_ = std::rotl(d_, 16) ^ c_;
            a_ = std::rotl(a_, 32);
            c_ += b_;
            a_ += d_;
            b_ = std::rotl(b_, 17) ^ c_;
            d_ = std::rotl(d_, 21) ^ a_;
            c_ = std::rotl(c_, 32);
        }
    }

    std::uint64_t a_ = 0x736F6D6570736575;  // the four constants of the paper
    std::uint64_t b_ = 0x646F72616E646F6D;
    std::uint64_t c_ = 0x6C7967656E657261;
    std::uint64_t d_ = 0x7465646279746573;
};

}  // namespace

std::uint64_t keyed_hash64(const HashKey& key, std::string_view octets) {
    constexpr std::size_t word = 8;
    SipState state(key);
    std::size_t at = 0;
    for (; at + word <= octets.size(); at += word) {
        state.take(little_endian(octets, at, word));
    }
    const auto length = static_cast<std::uint64_t>(octets.size() & 0xFFU) << 56U;
    state.take(little_endian(octets, at, octets.size() - at) | length);
    return state.end();
}

}  // namespace smsrack
