#include "src/line/receiver.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

namespace smsrack::line {
namespace {

using namespace std::chrono_literals;

/// Before a PDU that the full disk refused is offered again.
constexpr auto offer_pause = 2s;

std::optional<WallTime> noted_at(const ports::ReceivedPdu& event, WallTime wall, SteadyTime now) {
    return event.noted_at ? std::optional(wall - std::chrono::ceil<std::chrono::milliseconds>(
                                                     now - std::min(now, *event.noted_at)))
                          : std::nullopt;
}

}  // namespace

std::size_t Receiver::take(const ports::ReceivedPdu& event, SimId sim, WallTime wall,
                           SteadyTime now) {
    if (is_full()) {  // stays in the modem; the next sweep finds it
        return 0;
    }
    // Longer than any PDU: kept as far as there is room, as what can't be read.
    const auto octets = std::string_view(event.pdu).substr(0, queue::received_octets_max);
    queue::ReceivedOctets pdu{.token = event.token,
                              .held_at = event.held_at,
                              .heard_at = wall,
                              .noted_at = noted_at(event, wall, now),
                              .length = static_cast<std::uint8_t>(octets.size())};
    std::ranges::copy(octets, pdu.octets.begin());
    held_.push_back(pdu);
    return pass_on(pdu, sim) ? 1 : 0;
}

std::size_t Receiver::sim_known(SimId sim) {
    std::size_t passed_on = 0;
    for (const queue::ReceivedOctets& pdu : held_) {
        passed_on += pass_on(pdu, sim) ? 1 : 0;
    }
    return passed_on;
}

std::size_t Receiver::offer_again(SimId sim, SteadyTime now) {
    if (now < offer_at_) {
        return 0;
    }
    offer_at_ = never;
    std::size_t passed_on = 0;
    for (const std::uint32_t token : std::exchange(refused_, {})) {
        const auto held = std::ranges::find(held_, token, &queue::ReceivedOctets::token);
        passed_on += held != held_.end() && pass_on(*held, sim) ? 1 : 0;
    }
    return passed_on;
}

bool Receiver::pass_on(queue::ReceivedOctets pdu, SimId sim) {
    pdu.sim = sim;
    return sim.value != 0 && queue_.push(pdu);
}

void Receiver::kept(std::uint32_t token) {
    std::erase_if(held_, [&](const queue::ReceivedOctets& pdu) { return pdu.token == token; });
}

void Receiver::not_kept(std::uint32_t token, SteadyTime now) {
    refused_.push_back(token);
    offer_at_ = now + offer_pause;
}

void Receiver::forget() {
    held_.clear();
    refused_.clear();
    news_.clear();
}

}  // namespace smsrack::line
