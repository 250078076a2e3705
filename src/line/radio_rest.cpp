#include "src/line/radio_rest.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::line {

void RadioRest::apply(RestEvent event, SteadyTime now) {
    if (const auto to = next(rest_rules, state_, event)) {
        const RestState from = std::exchange(state_, *to);
        enter(from, now);
    }
}

void RadioRest::enter(RestState from, SteadyTime now) {
    quiet_at_ = never;
    listen_at_ = never;
    const bool was_off = from == RestState::falling || from == RestState::asleep;
    switch (state_) {
        case RestState::off_duty:
        case RestState::listening:
            if (was_off) {
                want_ = Want::wake;
            } else if (want_ != Want::wake) {  // what was ordered and not yet done is still to do
                want_ = Want::nothing;
            }
            if (state_ == RestState::listening && hears_) {
                quiet_at_ = std::max(now + settings_.awake, awake_until_);
            }
            return;
        case RestState::asking:
            want_ = Want::ask;
            return;
        case RestState::falling:
            want_ = Want::sleep;
            return;
        case RestState::asleep:
            listen_at_ = now + settings_.listen;
            return;
    }
}

void RadioRest::park(bool parked, bool hears, SteadyTime now) {
    if (!settings_.radio_off) {
        return;
    }
    if (state_ == RestState::off_duty) {
        hears_ = hears;
    }
    apply(parked ? RestEvent::parked : RestEvent::unparked, now);
}

void RadioRest::ready(SteadyTime now) {
    hears_ = true;
    const bool refused = state_ == RestState::falling;
    apply(RestEvent::ready, now);
    if (state_ == RestState::listening) {
        quiet_at_ = std::max(now + (refused ? settings_.listen : settings_.awake), awake_until_);
    }
}

void RadioRest::lost(SteadyTime now) {
    hears_ = false;
    apply(RestEvent::lost, now);
    if (state_ == RestState::listening) {
        quiet_at_ = never;
    }
}

void RadioRest::slept(SteadyTime now) {
    hears_ = false;
    apply(RestEvent::slept, now);
}

void RadioRest::heard(SteadyTime now) {
    apply(RestEvent::heard, now);
    if (state_ == RestState::listening && quiet_at_ != never) {
        quiet_at_ = std::max(quiet_at_, now + settings_.awake);
    }
}

void RadioRest::stay_awake(SteadyTime until, SteadyTime now) {
    awake_until_ = std::max(awake_until_, until);
    if (now < awake_until_ && state_ != RestState::off_duty) {
        apply(RestEvent::heard, now);
        quiet_at_ = quiet_at_ == never ? never : std::max(quiet_at_, awake_until_);
    }
}

void RadioRest::answered(bool expected, SteadyTime now) {
    apply(expected ? RestEvent::expected : RestEvent::nothing_expected, now);
}

RadioRest::Want RadioRest::step(SteadyTime now) {
    if (state_ == RestState::listening && now >= quiet_at_) {
        apply(RestEvent::quiet, now);
    } else if (state_ == RestState::asleep && now >= listen_at_) {
        apply(RestEvent::due, now);
    }
    return std::exchange(want_, Want::nothing);
}

SteadyTime RadioRest::deadline() const {
    return std::min(quiet_at_, listen_at_);
}

}  // namespace smsrack::line
