#include "drivers/gsm/modem_life.hpp"

#include <string>
#include <utility>

namespace smsrack::gsm {

void ModemLife::open(bool attempt_open, SteadyTime now) {
    in_doubt_ = attempt_open;
    apply(Trigger::open_called, now);
}

void ModemLife::adopt(bool ready) {
    seen_.adopt(talk_.speakers().facts.identity);
    status_.state = ready ? ModemState::ready : ModemState::registering;
}

// -- the port

void ModemLife::open_port(SteadyTime now) {
    if (now < port_.due(status_.state)) {
        return;
    }
    close_port();
    const Trigger opened = port_.open(now);
    if (!port_.is_open()) {
        return apply(opened, now);
    }
    seen_.port_opened();
    talk_.attach(port_.pipe());
    apply(std::exchange(in_doubt_, false) ? Trigger::port_opened_in_doubt : opened, now);
}

void ModemLife::close_port() {
    talk_.speakers().cut_off_order(false);
    talk_.attach(nullptr);
    port_.close();
}

void ModemLife::climb(SteadyTime now) {
    if (port_.climb(now) == Remedy::reset) {
        talk_.write_raw(std::string(profile_.restart.text) + '\r');
    }
    if (!port_.is_open()) {
        close_port();
    }
}

// -- the state

void ModemLife::apply_all(SteadyTime now) {
    for (const Trigger trigger : talk_.take_triggers()) {
        apply(trigger, now);  // raises none
    }
}

void ModemLife::apply(Trigger trigger, SteadyTime now) {
    if (trigger == Trigger::drained && port_.stumbles_on(now)) {
        trigger = Trigger::gave_up;
    }
    if (trigger == Trigger::gave_up) {
        climb(now);
        trigger = port_.is_out_of_service() ? Trigger::out_of_service : trigger;
    }
    const auto to = next(modem_rules, status_.state, trigger);
    if (!to) {
        reporter_.note(LogLevel::debug, "trigger_refused", state_name(status_.state));
        return;
    }
    enter(std::exchange(status_.state, *to), trigger, now);
}

void ModemLife::enter(ModemState from, Trigger trigger, SteadyTime now) {
    talk_.entered();
    switch (status_.state) {
        case ModemState::opening:
            return enter_opening(trigger, now);
        case ModemState::evidence:
            return talk_.speakers().evidence.begin(now);
        case ModemState::probing:
            return enter_probing(trigger, now);
        case ModemState::registering:
            return enter_registering(from, now);
        case ModemState::ready:
            return enter_ready();
        case ModemState::draining:
            return enter_draining(from, now);
        case ModemState::failed:
            return enter_failed(trigger, now);
        case ModemState::asleep:
            return enter_asleep();
        case ModemState::dozing:
        case ModemState::closed:
        case ModemState::absent:
        case ModemState::identifying:
        case ModemState::sim_wait:
            return;
    }
}

void ModemLife::enter_opening(Trigger trigger, SteadyTime now) {
    switch (trigger) {
        case Trigger::open_called:
            return port_.plan(now);
        case Trigger::port_refused:
            return;
        case Trigger::gave_up:
            port_.plan_after_remedy(now);
            break;
        default:
            reporter_.not_ready(
                "no_port", settings_.port.path + " is gone; the modem was unplugged or lost power");
            port_.plan_retry(now);
    }
    Speakers& speakers = talk_.speakers();
    speakers.submit.cut_off();
    speakers.inbox.cut_off(now);
    speakers.evidence.cut_off();
    close_port();
}

void ModemLife::enter_probing(Trigger trigger, SteadyTime now) {
    tell_why_probed(trigger);
    Speakers& speakers = talk_.speakers();
    if (trigger == Trigger::woken) {
        seen_.wakes();
    } else if (trigger == Trigger::rebooted) {
        speakers.evidence.cut_off();
        speakers.submit.cut_off();
        speakers.submit.forget_late();
    } else if (trigger == Trigger::sim_missing || trigger == Trigger::sim_changed ||
               trigger == Trigger::set_by_hand) {
        speakers.submit.cut_off();
    }
    speakers.cut_off_order(trigger == Trigger::rebooted);
    speakers.inbox.cut_off(now);
    speakers.calls.on_over();
    talk_.abandon();
    speakers.start_up.begin(now);
}

void ModemLife::tell_why_probed(Trigger trigger) {
    switch (trigger) {
        case Trigger::woken:
            return reporter_.not_ready("waking", "its radio is being switched on");
        case Trigger::rebooted:
            if (!seen_.is_waking()) {  // for which some restart
                reporter_.not_ready("rebooted", "the modem restarted; it is set up again");
            }
            return;
        case Trigger::sim_missing:
            return reporter_.not_ready("sim_absent", "the SIM was taken out; insert one");
        case Trigger::sim_changed:
            return reporter_.not_ready("sim_changed",
                                       "a SIM was put in; the modem is set up again");
        case Trigger::drained:
            return reporter_.incident(ports::Incident::drained);
        case Trigger::not_searching:
            return reporter_.note(LogLevel::warn, "not_searching",
                                  "it does not look for a network; it is set up again");
        case Trigger::set_by_hand:
            return reporter_.not_ready(
                "set_by_hand",
                "a command given by hand may have changed its settings; it is set up again");
        default:
            return;
    }
}

void ModemLife::enter_registering(ModemState from, SteadyTime now) {
    Speakers& speakers = talk_.speakers();
    if (from == ModemState::ready) {
        return speakers.submit.give_back();
    }
    const Facts& facts = speakers.facts;
    if (const auto incident = seen_.returned(facts)) {
        reporter_.incident(*incident);
    }
    if (seen_.has_other_sim(facts.identity)) {
        speakers.inbox.forget_all();
    }
    reporter_.tell(ports::ModemIdentified{facts.identity});
    speakers.inbox.begin(now);
    speakers.watch.begin(now);
    speakers.link.begin();
    speakers.rate_return.begin();
    speakers.diagnosis.begin();
}

void ModemLife::enter_ready() {
    port_.modem_ready();
    seen_.ready();
    status_.radio_off = false;
    reporter_.ready(talk_.speakers().facts.identity);
}

void ModemLife::enter_draining(ModemState from, SteadyTime now) {
    if (from != ModemState::probing) {  // which had looked for it at both rates
        (void)talk_.speakers().rate.count(
            from == ModemState::identifying ? RateFault::failed_set_up : RateFault::no_answer, now);
    }
    reporter_.not_ready("no_answer",
                        "the modem on " + settings_.port.path +
                            " does not answer as it should; check its power, cable and baud rate");
    Speakers& speakers = talk_.speakers();
    speakers.submit.cut_off();
    speakers.inbox.cut_off(now);
    speakers.cut_off_order(false);
    talk_.abandon();
    speakers.drain.begin(now);
}

void ModemLife::enter_failed(Trigger trigger, SteadyTime now) {
    switch (trigger) {
        case Trigger::port_opened:
            talk_.write_raw("\x1b");
            return talk_.speakers().start_up.begin(now);
        case Trigger::port_refused:
            return;
        case Trigger::out_of_service:
            reporter_.out_of_service("the modem on " + settings_.port.path +
                                     " does not answer, whatever is tried; see to its power and "
                                     "cable. It is asked again every two minutes at the latest");
            port_.plan_after_remedy(now);
            break;
        case Trigger::no_answer:
            climb(now);
            port_.plan_after_remedy(now);
            break;
        default:  // port_lost
            close_port();
            port_.plan_retry(now);
    }
    talk_.speakers().start_up.stop();
    talk_.forget_turn();
}

void ModemLife::enter_asleep() {
    Facts& facts = talk_.speakers().facts;
    facts.registration = ports::Registration::not_registered;
    reporter_.tell(ports::ModemVitals{.registration = facts.registration});
    reporter_.asleep();
}

}  // namespace smsrack::gsm
