#include "drivers/gsm/link_keeper.hpp"

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

LinkKeeper::LinkKeeper(at::AtChannel& channel, const Profile& profile,
                       const ModemSettings& settings, Reporter& reporter)
    : channel_(channel), profile_(profile), settings_(settings), reporter_(reporter) {}

void LinkKeeper::begin() {
    off_at_ = on_ ? SteadyTime::min() : never;  // a modem that did not restart has it still
}

void LinkKeeper::adopt(const LinkCarried& carried) {
    on_ = carried.on;
    off_at_ = carried.off_at;
    off_until_ = carried.off_until;
    strikes_ = carried.strikes;
    last_strike_ = carried.last_strike;
    given_up_ = carried.given_up;
}

void LinkKeeper::after_submit(const SubmitOutcome& outcome, SteadyTime now) {
    wanted_ = false;
    if (!on_) {
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
    off_until_ = now + off_after_fault;
    given_up_ = strikes_ >= strikes_max;
    reporter_.note(given_up_ ? LogLevel::warn : LogLevel::info, "keep_link_off",
                   given_up_ ? "repeated faults with the radio link kept; off until the next start"
                             : "a fault with the radio link kept; off for a while");
}

bool LinkKeeper::speak(SteadyTime now) {
    if (on_ && now >= off_at_) {
        asked_ = false;
    } else if (!on_ && wanted_ && may_be_on(now)) {
        asked_ = true;
    } else {
        return false;
    }
    off_at_ = never;
    channel_.start({.text = asked_ ? "AT+CMMS=2" : "AT+CMMS=0"}, now);
    return true;
}

std::optional<Trigger> LinkKeeper::on_final(at::FinalResult result, SteadyTime now) {
    if (result.kind == at::FinalKind::timed_out) {
        return Trigger::no_answer;
    }
    if (result.kind == at::FinalKind::ok) {
        on_ = asked_;
        off_at_ = on_ ? now + linger : never;
    } else {
        given_up_ = true;
        on_ = false;
        reporter_.note(LogLevel::info, "keep_link_refused", "the modem does not know AT+CMMS");
    }
    return std::nullopt;
}

}  // namespace smsrack::gsm
