#include "src/line/slot_seat.hpp"

#include "src/sms/card_name.hpp"

#include <utility>

namespace smsrack::line {
namespace {

using namespace std::chrono_literals;

/// Before a store that failed is asked again.
constexpr auto storage_pause = 2s;

std::string sentence(bool refused, const ports::SlotSeen& now, const ports::SlotKnown& before) {
    const std::string from =
        before.card_was_in.empty() ? std::string() : " (last in " + before.card_was_in + ")";
    const std::string found = "the SIM " + now.card + from + " is where " + before.card + " was";
    return refused ? found + "; put that one back, or set sim_policy for this modem" : found;
}

}  // namespace

void SlotSeat::apply(SeatEvent event) {
    const auto to = next(seat_rules, state_, event);
    if (!to) {
        return;
    }
    state_ = *to;
    retry_at_ = never;
    if (state_ == SeatState::unknown || state_ == SeatState::pairing) {
        is_.sim = {};
    }
    if (state_ == SeatState::counting && !settings_.has_quota) {
        state_ = SeatState::known;
    }
}

void SlotSeat::adopt(Occupant occupant) {
    if (occupant.sim.value != 0) {
        is_ = std::move(occupant);
        state_ = settings_.has_quota ? SeatState::counting : SeatState::known;
    }
}

bool SlotSeat::identified(const ports::ModemIdentity& identity) {
    const bool other = state_ != SeatState::unknown && !is_.has_sim(identity);
    if (other) {
        apply(SeatEvent::left);
    }
    return other;
}

bool SlotSeat::ready(const ports::ModemIdentity& identity) {
    if (is_.sim.value != 0 && is_.is(identity)) {
        return true;
    }
    is_ = {.imei = identity.imei, .iccid = identity.iccid, .imsi = identity.imsi};
    apply(SeatEvent::seen);
    return false;
}

ports::SlotSeen SlotSeat::seen(WallTime at) const {
    return {.slot = settings_.slot,
            .imei = is_.imei,
            .card = card_name(is_.iccid, is_.imsi),
            .keep_card = settings_.policy == ports::SimPolicy::refuse,
            .at = at};
}

bool SlotSeat::awaits_pair(const ports::SlotSeen& asked) const {
    return state_ == SeatState::pairing && asked.imei == is_.imei &&
           asked.card == seen(asked.at).card;
}

bool SlotSeat::awaits_name(const std::string& iccid) const {
    return state_ == SeatState::naming && iccid == is_.iccid;
}

bool SlotSeat::awaits_usage(SimId sim) const {
    return state_ == SeatState::counting && sim == is_.sim;
}

SlotVerdict SlotSeat::paired(const ports::SlotSeen& asked, const ports::SlotKnown& before) {
    SlotVerdict verdict{.modem_changed = !before.imei.empty() && before.imei != asked.imei,
                        .sim_changed = !before.card.empty() && before.card != asked.card,
                        .policy = settings_.policy};
    if (verdict.sim_changed) {
        verdict.detail = sentence(verdict.is_refused(), asked, before);
    }
    apply(verdict.is_refused() ? SeatEvent::refused : SeatEvent::paired);
    return verdict;
}

void SlotSeat::named(SimId sim) {
    apply(SeatEvent::named);
    is_.sim = sim;
}

void SlotSeat::failed(SteadyTime now) {
    apply(SeatEvent::failed);
    retry_at_ = now + storage_pause;
}

bool SlotSeat::retries(SteadyTime now) {
    if (now < retry_at_) {
        return false;
    }
    retry_at_ = never;
    return true;
}

/// Many SIMs do not know their number, or say it as it is dialled in their country.
std::string SlotSeat::own_number(const std::string& said) const {
    if (!settings_.number.empty() || said.empty()) {
        return settings_.number;
    }
    auto number = normalised_number(said, settings_.plan);
    return number ? *std::move(number) : said;
}

}  // namespace smsrack::line
