#include "tools/modem_model/uart.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr std::chrono::milliseconds split_gap(1);

std::chrono::nanoseconds time_of(std::uint64_t octets, unsigned baud) {
    constexpr std::uint64_t bits_and_nanoseconds = 10ULL * 1'000'000'000ULL;
    return baud == 0 ? std::chrono::nanoseconds::zero()
                     : std::chrono::nanoseconds(octets * bits_and_nanoseconds / baud);
}

constexpr std::uint64_t bits_per_octet = 10;  // start, eight of data from the lowest, stop

/// The level of the line in this bit since the first octet began; high before and after.
bool level(std::string_view octets, std::uint64_t bit) {
    const std::uint64_t place = bit % bits_per_octet;
    if (bit / bits_per_octet >= octets.size() || place == bits_per_octet - 1) {
        return true;
    }
    const auto octet = static_cast<unsigned char>(octets[bit / bits_per_octet]);
    return place > 0 && ((octet >> (place - 1)) & 1U) != 0;
}

}  // namespace

std::string read_at_rate(std::string_view octets, unsigned sent_at, unsigned read_at) {
    // In units of which half a bit of either is a whole number.
    const std::uint64_t sent_bit = 2ULL * read_at;
    const std::uint64_t read_bit = 2ULL * sent_at;
    const std::uint64_t end = octets.size() * bits_per_octet * sent_bit;
    std::string read;
    for (std::uint64_t at = 0; at < end;) {
        if (level(octets, at / sent_bit)) {
            at = (at / sent_bit + 1) * sent_bit;
            continue;
        }
        unsigned octet = 0;
        for (unsigned bit = 0; bit < 8; ++bit) {
            const std::uint64_t middle = at + (bit + 1) * read_bit + read_bit / 2;
            octet |= level(octets, middle / sent_bit) ? 1U << bit : 0U;
        }
        read += static_cast<char>(octet);
        at += (bits_per_octet - 1) * read_bit + read_bit / 2;
    }
    return read;
}

void UartLane::set_baud(unsigned baud) {
    if (std::exchange(baud_, baud) != baud) {
        burst_start_ = last_due_;
        burst_octets_ = 0;
    }
}

void UartLane::send(SteadyTime at, std::string_view octets) {
    while (split_ > 0 && !octets.empty()) {
        --split_;
        push(std::max(at, last_due_) + split_gap, octets.substr(0, 1));
        octets.remove_prefix(1);
    }
    if (!octets.empty()) {
        push(at, octets);
    }
}

void UartLane::push(SteadyTime at, std::string_view octets) {
    constexpr std::uint64_t burst_max = 1ULL << 28U;  // keeps the product of time_of() in 64 bits
    if (at > last_due_ || burst_octets_ > burst_max) {
        burst_start_ = std::max(at, last_due_);
        burst_octets_ = 0;
    }
    waiting_ += octets.size();
    burst_octets_ += octets.size();
    last_due_ = burst_start_ + time_of(burst_octets_, paces_ ? baud_ : 0);
    chunks_.push_back({.due = last_due_, .octets = std::string(octets), .baud = baud_});
}

UartLane::Chunk UartLane::take() {
    Chunk first = std::move(chunks_.front());
    chunks_.pop_front();
    waiting_ -= first.octets.size();
    return first;
}

}  // namespace smsrack::modem_sim
