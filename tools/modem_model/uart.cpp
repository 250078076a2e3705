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

}  // namespace

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
