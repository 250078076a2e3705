// The radio of a parked line: told by RadioRest, done here.
#include "src/base/time_text.hpp"
#include "src/line/modem_line.hpp"

#include <chrono>
#include <utility>

namespace smsrack::line {

/// False: nothing changed. While somebody else is to take the line over, its radio stays as it is.
bool ModemLine::take_rest() {
    if (held_back_) {
        return false;
    }
    const bool in_hand =
        !run_.is_empty() || orders_.waiting() || orders_.in_hand() || !receiver_.is_empty();
    if (in_hand && rest_.is_about_to_rest(now_)) {
        rest_.heard(now_);
    }
    switch (rest_.step(now_)) {
        case RadioRest::Want::nothing:
            return false;
        case RadioRest::Want::ask:
            ask_whether_expecting();
            return true;
        case RadioRest::Want::sleep:
            fall_asleep();
            return true;
        case RadioRest::Want::wake:
            wake();
            return true;
    }
    return false;
}

/// A SIM that is not known yet may expect anything.
void ModemLine::ask_whether_expecting() {
    if (seat_.sim().value == 0) {
        rest_.answered(true, now_);
        return;
    }
    const WallTime wall = world_.clock.wall();
    // Where the clock was set back, what was out of date may be waited for again.
    const bool goes_on = expected_.of == seat_.sim() && expected_.asked <= wall;
    world_.store.read(
        [this, wall, question = ++question_, sim = seat_.sim(),
         settled = goes_on ? expected_.settled : AttemptId{}](ports::StoreReader& reader) {
            mailbox_.push(Expecting{question, sim, wall, reader.expects(sim, wall, settled)});
        });
}

/// A store that can't be read does not say that nothing is expected.
void ModemLine::on(const Expecting& mail) {
    if (mail.question == question_) {
        if (mail.expected) {
            expected_ = {mail.sim, mail.expected->settled, mail.asked};
        }
        rest_.answered(!mail.expected || mail.expected->anything, now_);
    }
}

/// Dispatch is told first, so that it gives nothing to a modem that is about to go.
void ModemLine::fall_asleep() {
    apply(LineEvent::radio_off);
    world_.modem.keep_radio_off(true);
}

/// Where it has not gone yet, the line simply goes on.
void ModemLine::wake() {
    world_.modem.keep_radio_off(false);
    if (state_ == LineState::down) {
        woken_at_ = now_;
        world_.board.waking(settings_.id, now_);
    } else if (world_.modem.life() == ports::LineLife::ready) {
        apply(LineEvent::radio_on);
        release_if_free();
    }
}

void ModemLine::on(const Parked& mail) {
    rest_.park(mail.parked, state_ != LineState::down, now_);
}

void ModemLine::on(const StayAwake& mail) {
    rest_.stay_awake(now_ + mail.length, now_);
}

/// Meant so: neither a loss nor a link that stops.
void ModemLine::on(const ports::ModemAsleep&) {
    apply(LineEvent::modem_lost);
    stop_at_ = never;
    rest_.slept(now_);
    if (!rest_.listens_at()) {  // it was called back meanwhile
        woken_at_ = now_;
    }
    const WallTime wall = world_.clock.wall();
    const WallTime listens_at = wall + std::chrono::ceil<std::chrono::milliseconds>(
                                           rest_.listens_at().value_or(now_) - now_);
    world_.board.asleep(settings_.id, listens_at);
    world_.log.info("line_asleep", {{"modem", settings_.name}});
    tell("asleep until " + time_text(listens_at));
}

}  // namespace smsrack::line
