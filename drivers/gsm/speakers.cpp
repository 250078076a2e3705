#include "drivers/gsm/speakers.hpp"

#include <algorithm>

namespace smsrack::gsm {
namespace {

/// 3GPP TS 27.005 3.2.5: no room for what comes in, whatever it was said to.
bool is_storage_full(const SubmitOutcome& outcome) {
    constexpr std::array codes{208, 211, 322};
    return outcome.kind == OutcomeKind::refused && outcome.cause.kind == CodeKind::cms &&
           std::ranges::find(codes, outcome.cause.code) != codes.end();
}

}  // namespace

Speakers::Turns Speakers::turns(const ModemStatus& status) {
    if (step_check.is_due()) {
        return {&step_check};
    }
    switch (status.state) {
        case ModemState::evidence:
            return {&evidence};
        case ModemState::probing:
        case ModemState::identifying:
        case ModemState::failed:
            return {&start_up};
        case ModemState::sim_wait:
            return {&hand, &ussd, &rate_return, &start_up};
        case ModemState::registering:
            return status.held ? Turns{&hand, &ussd, &inbox, &rate_return}
                               : Turns{&calls, &hand, &ussd, &watch, &inbox};
        case ModemState::ready:
            if (status.held) {
                return {&hand, &ussd, &submit, &inbox, &rate_return};
            }
            return inbox_has_turn()
                       ? Turns{&calls, &hand, &ussd, &watch, &diagnosis, &link, &inbox, &submit}
                       : Turns{&calls, &hand, &ussd, &watch, &diagnosis, &link, &submit, &inbox};
        case ModemState::draining:
            return {&drain};
        case ModemState::dozing:
            return {&radio};
        case ModemState::asleep:
            return {&hand, &ussd, &rate_return};
        case ModemState::closed:
        case ModemState::opening:
        case ModemState::absent:
            break;
    }
    return {};
}

void Speakers::count_turn(const Speaker& speaker, SteadyTime now) {
    if (&speaker == &submit) {
        inbox_turns = inbox_turn;
        inbox.submit_ended(now);
    } else if (&speaker == &inbox) {
        inbox_turns = inbox.goes_first(now) ? std::max(0, inbox_turns - 1) : inbox_turn;
    }
}

bool Speakers::after_submit(SteadyTime now) {
    const auto ended = submit.take_ended();
    if (!ended) {
        return false;
    }
    link.after_submit(ended->outcome, now);
    diagnosis.after_submit(ended->outcome, ended->pdu_sent, now);
    if (is_storage_full(ended->outcome)) {
        inbox.sweep(now);
    }
    return ended->outcome.kind == OutcomeKind::accepted ||
           ended->outcome.kind == OutcomeKind::refused;
}

void Speakers::begin_order(const ports::HandOrder& order, SteadyTime now) {
    if (order.kind == ports::HandOrderKind::restart) {
        rate.trust_again();
    }
    if (order.kind == ports::HandOrderKind::ussd) {
        ussd.begin(order.text, order.force, now);
    } else {
        hand.begin(order, now);
    }
}

void Speakers::cut_off_order(bool restarted) {
    hand.cut_off(restarted);
    ussd.cut_off();
}

bool Speakers::may_still_work(const Speaker& speaker, at::FinalResult result) const {
    const bool is_order = &speaker == &hand || &speaker == &ussd;
    return is_order ||
           (&speaker == &submit && result.kind != at::FinalKind::ok && !submit.was_accepted());
}

}  // namespace smsrack::gsm
