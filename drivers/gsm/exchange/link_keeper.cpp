#include "drivers/gsm/exchange/link_keeper.hpp"

#include <algorithm>
#include <array>

namespace smsrack::gsm {
namespace {

/// What can be the kept link's doing; a wrong number or a barred SIM can't.
bool may_be_of_link(const SubmitOutcome& outcome, std::span<const int> of_family) {
    switch (outcome.kind) {
        case OutcomeKind::accepted:
        case OutcomeKind::open:
            return false;
        case OutcomeKind::unknown:
        case OutcomeKind::not_sent:
            return true;
        case OutcomeKind::refused:
            break;
    }
    // 3GPP TS 27.005 3.2.5: of the network, of the equipment without a reason, of the lower layers.
    constexpr std::array codes{17, 22, 38, 41, 42, 47, 300, 302, 331, 332, 500};
    return outcome.cause.kind == CodeKind::plain_error || outcome.cause.kind == CodeKind::cme ||
           std::ranges::find(codes, outcome.cause.code) != codes.end() ||
           std::ranges::find(of_family, outcome.cause.code) != of_family.end();
}

}  // namespace

void LinkKeeper::begin() {
    apply(KeepEvent::dropped);
    off_at_ = link_ == KeptLink::on
                  ? SteadyTime::min()  // a modem that did not restart has it still
                  : never;
}

LinkCarried LinkKeeper::carried() const {
    return {.on = link_ == KeptLink::on,
            .off_at = off_at_,
            .off_until = off_until_,
            .strikes = strikes_,
            .last_strike = last_strike_,
            .given_up = off_until_ == never};
}

void LinkKeeper::adopt(const LinkCarried& carried) {
    link_ = carried.on ? KeptLink::on : KeptLink::off;
    off_at_ = carried.off_at;
    off_until_ = carried.given_up ? never : carried.off_until;
    strikes_ = carried.strikes;
    last_strike_ = carried.last_strike;
}

void LinkKeeper::apply(KeepEvent event) {
    link_ = next(kept_link_rules, link_, event).value_or(link_);
}

void LinkKeeper::after_submit(const SubmitOutcome& outcome, SteadyTime now) {
    wanted_ = false;
    if (link_ != KeptLink::on) {
        return;
    }
    off_at_ = now + linger;
    if (may_be_of_link(outcome, profile_.link_faults)) {
        count_fault(now);
    }
}

void LinkKeeper::count_fault(SteadyTime now) {
    strikes_ = now - last_strike_ < strikes_forgotten ? strikes_ + 1 : 1;
    last_strike_ = now;
    off_at_ = now;
    const bool for_good = strikes_ >= strikes_max;
    off_until_ = for_good ? never : now + off_after_fault;
    reporter_.note(for_good ? LogLevel::warn : LogLevel::info, "keep_link_off",
                   for_good ? "repeated faults with the radio link kept; off until the next start"
                            : "a fault with the radio link kept; off for a while");
}

bool LinkKeeper::speak(SteadyTime now) {
    if (link_ == KeptLink::on && now >= off_at_) {
        apply(KeepEvent::off_asked);
    } else if (link_ == KeptLink::off && wanted_ && may_be_on(now)) {
        apply(KeepEvent::on_asked);
    } else {
        return false;
    }
    off_at_ = never;
    channel_.start({.text = link_ == KeptLink::going_on ? "AT+CMMS=2" : "AT+CMMS=0"}, now);
    return true;
}

std::optional<Trigger> LinkKeeper::on_final(at::FinalResult result, SteadyTime now) {
    switch (result.kind) {
        case at::FinalKind::timed_out:
            apply(KeepEvent::dropped);
            return Trigger::no_answer;
        case at::FinalKind::ok:
            apply(KeepEvent::taken);
            off_at_ = link_ == KeptLink::on ? now + linger : never;
            break;
        default:
            apply(KeepEvent::refused);
            off_until_ = never;
            reporter_.note(LogLevel::info, "keep_link_refused", "the modem does not know AT+CMMS");
    }
    return std::nullopt;
}

}  // namespace smsrack::gsm
