#include "drivers/gsm/gsm_modem.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gsm {

GsmModem::GsmModem(const std::string& name, const Profile& profile, ModemSettings settings,
                   std::unique_ptr<serial::PipeSource> source, const Clock& clock, Log& log,
                   std::unique_ptr<ports::Power> power)
    : settings_(std::move(settings)),
      clock_(clock),
      recorder_(clock, settings_.record_texts),
      reporter_(name, log, recorder_),
      port_(name, settings_, std::move(source), std::move(power), reporter_, log),
      talk_(profile, settings_, status_, reporter_, recorder_),
      life_(talk_.speakers().modem, status_, port_, talk_) {}

// -- ports::Modem

void GsmModem::open(ports::OpenMode mode) {
    now_ = clock_.steady();
    life_.open(mode.attempt_open, now_);
}

SteadyTime GsmModem::step(SteadyTime now) {
    now_ = now;
    if (frozen_) {
        return never;
    }
    port_.step_pulse(now);
    life_.open_port(now);
    if (port_.is_open()) {
        talk_.hear(now);
    }
    talk_.tick(now);
    life_.apply_all(now);
    report_fallbacks();
    give_turn();
    return deadline();
}

void GsmModem::enter_pin(const ports::PinTry& pin, ports::PinVerdict verdict) {
    now_ = clock_.steady();
    talk_.raise(talk_.speakers().start_up.enter_pin(pin, verdict, now_));
    life_.apply_all(now_);
    give_turn();
}

void GsmModem::expect_more(bool more) {
    talk_.speakers().link.expect_more(more);
    talk_.speakers().inbox.submit_begins(more);
}

bool GsmModem::can_submit() const {
    return status_.state == ModemState::ready && speakers().submit.state() == SubmitState::idle &&
           !status_.radio_off && !speakers().has_order();
}

bool GsmModem::reads_first() const {
    return status_.state == ModemState::ready && !status_.held && speakers().inbox_has_turn() &&
           speakers().inbox.goes_first(now_);
}

void GsmModem::begin_submit(std::string pdu) {
    now_ = clock_.steady();
    SubmitExchange& submit = talk_.speakers().submit;
    submit.begin(pdu);
    if (status_.state != ModemState::ready) {
        submit.give_back();
    }
    give_turn();
}

void GsmModem::acknowledge(std::uint32_t token) {
    now_ = clock_.steady();
    talk_.speakers().inbox.acknowledge(token);
    give_turn();
}

void GsmModem::pause_reading(bool paused) {
    now_ = clock_.steady();
    talk_.speakers().inbox.pause(paused);
    give_turn();
}

void GsmModem::begin_order(ports::HandOrder order) {
    now_ = clock_.steady();
    if (!port_.is_open()) {
        return reporter_.tell(ports::HandEnded{
            fail(Errc::conflict, settings_.port.path + " is not open; `smsrack modems` says why")});
    }
    talk_.speakers().begin_order(order, now_);
    give_turn();
}

void GsmModem::hold(bool held) {
    now_ = clock_.steady();
    status_.held = held;
    talk_.speakers().inbox.hold(held);
    give_turn();
}

// -- turns

void GsmModem::give_turn() {
    if (frozen_) {
        return;
    }
    if (talk_.speakers().after_submit(now_)) {
        port_.submit_answered();
    }
    talk_.give_turn(now_);
}

/// While the modem is set up again, and while its port is about to be left, nothing new is known.
void GsmModem::report_fallbacks() {
    if (status_.state != ModemState::ready || status_.held) {
        return;
    }
    const bool stores = !speakers().inbox.push_works().value_or(!reporter_.fallbacks().push);
    reporter_.fallbacks({.push = stores, .fast_baud = speakers().rate.is_slow()});
}

SteadyTime GsmModem::deadline() {
    const SteadyTime next = std::min(port_.due(status_.state), port_.pulse_due());
    return port_.is_open() ? std::min(next, talk_.deadline()) : next;
}

// -- from one owner of the port to the next

bool GsmModem::is_settled() const {
    switch (status_.state) {
        case ModemState::closed:
        case ModemState::opening:
        case ModemState::absent:
        case ModemState::failed:
            return true;  // there is nothing to leave to anybody
        case ModemState::evidence:
        case ModemState::probing:
        case ModemState::identifying:
        case ModemState::draining:
        case ModemState::dozing:
            return false;  // soon over; left alone half way, it would be done again
        case ModemState::sim_wait:
        case ModemState::asleep:  // the next owner switches it on
            return !talk_.is_busy() && !speakers().rate_return.is_due();
        case ModemState::registering:
        case ModemState::ready:
            break;
    }
    if (speakers().has_order() || talk_.has_triggers() || talk_.has_sim_news() ||
        speakers().step_check.is_due() || speakers().rate_return.is_due()) {
        return false;
    }
    const SubmitState submit = speakers().submit.state();
    if (submit == SubmitState::idle) {
        return !talk_.is_busy() && !speakers().inbox.owes_storing();
    }
    return submit == SubmitState::sent || submit == SubmitState::answered;
}

std::optional<ModemCarried> GsmModem::carried() {
    const bool usable = status_.is_in_service() && port_.is_open() && is_settled();
    frozen_ = true;
    if (!usable) {
        return std::nullopt;
    }
    return ModemCarried{.ready = status_.state == ModemState::ready,
                        .facts = speakers().facts,
                        .channel = talk_.carried(),
                        .submit = speakers().submit.carried(),
                        .watch = speakers().watch.carried(),
                        .link = speakers().link.carried(),
                        .inbox = speakers().inbox.carried()};
}

int GsmModem::duplicate_port() const {
    return port_.is_open() ? port_.pipe()->duplicate() : -1;
}

Result<> GsmModem::adopt(const ModemCarried& carried, int port) {
    if (auto taken = port_.adopt(port); !taken) {
        return taken;
    }
    now_ = clock_.steady();
    Speakers& speakers = talk_.speakers();
    speakers.facts = carried.facts;
    talk_.adopt(port_.pipe(), carried.channel);
    speakers.submit.adopt(carried.submit);
    speakers.watch.adopt(carried.watch);
    speakers.link.adopt(carried.link);
    speakers.inbox.adopt(carried.inbox);
    speakers.diagnosis.begin();
    life_.adopt(carried.ready);
    return {};
}

}  // namespace smsrack::gsm
