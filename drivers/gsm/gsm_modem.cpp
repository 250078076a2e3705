#include "drivers/gsm/gsm_modem.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gsm {
namespace {

/// 3GPP TS 27.005 3.2.5: no room for what comes in, whatever it was said to.
bool is_storage_full(const SubmitOutcome& outcome) {
    constexpr std::array codes{208, 211, 322};
    return outcome.kind == OutcomeKind::refused && outcome.cause.kind == CodeKind::cms &&
           std::ranges::find(codes, outcome.cause.code) != codes.end();
}

}  // namespace

GsmModem::GsmModem(const std::string& name, const Profile& profile, ModemSettings settings,
                   std::unique_ptr<serial::PipeSource> source, const Clock& clock, Log& log,
                   std::unique_ptr<ports::Power> power)
    : profile_(profile),
      settings_(std::move(settings)),
      source_(std::move(source)),
      clock_(clock),
      recorder_(clock, settings_.record_texts),
      reporter_(name, log, recorder_),
      channel_(profile.urcs.rules(), *this, settings_.command_gap, &recorder_),
      opener_(name, settings_, *source_, reporter_, log),
      pulse_(std::move(power), settings_.power_off),
      evidence_(channel_, settings_, reporter_, submit_),
      start_up_(channel_, profile, settings_, facts_, reporter_),
      watch_(channel_, settings_, facts_, reporter_),
      submit_(channel_, settings_, reporter_),
      inbox_(channel_, settings_, facts_, reporter_),
      step_check_(channel_),
      drain_(channel_, submit_),
      calls_(channel_, reporter_),
      link_(channel_, profile, settings_, reporter_),
      diagnosis_(channel_, profile, settings_, reporter_),
      hand_(channel_, profile, reporter_),
      ussd_(channel_, reporter_),
      radio_(channel_, reporter_) {}

GsmModem::~GsmModem() = default;

// -- ports::Modem

void GsmModem::open(ports::OpenMode mode) {
    in_doubt_ = mode.attempt_open;
    now_ = clock_.steady();
    apply(Trigger::open_called);
}

SteadyTime GsmModem::step(SteadyTime now) {
    now_ = now;
    if (frozen_) {
        return never;
    }
    step_pulse();
    open_port();
    if (pipe_ && !channel_.step(now)) {
        raise(Trigger::port_lost);
    }
    tick();
    apply_triggers();
    give_turn();
    return deadline();
}

std::optional<ports::ModemEvent> GsmModem::next_event() {
    return reporter_.next_event();
}

void GsmModem::enter_pin(const ports::PinTry& pin, ports::PinVerdict verdict) {
    now_ = clock_.steady();
    raise(start_up_.enter_pin(pin, verdict, now_));
    apply_triggers();
    give_turn();
}

bool GsmModem::can_submit() const {
    return state_ == ModemState::ready && submit_.state() == SubmitState::idle && !closing_ &&
           !sleep_ && !has_order();
}

bool GsmModem::reads_first() const {
    return state_ == ModemState::ready && !held_ && !closing_ && inbox_turn_ > 0 &&
           inbox_.goes_first(now_);
}

void GsmModem::begin_submit(std::string pdu) {
    now_ = clock_.steady();
    submit_.begin(pdu);
    if (state_ != ModemState::ready || closing_) {
        submit_.give_back();
    }
    give_turn();
}

void GsmModem::release_pdu() {
    submit_.release(clock_.steady());
}

void GsmModem::withhold_pdu() {
    submit_.withhold(clock_.steady());
}

void GsmModem::acknowledge(std::uint32_t token) {
    now_ = clock_.steady();
    inbox_.acknowledge(token);
    give_turn();
}

void GsmModem::pause_reading(bool paused) {
    now_ = clock_.steady();
    inbox_.pause(paused);
    give_turn();
}

void GsmModem::begin_order(ports::HandOrder order) {
    now_ = clock_.steady();
    if (pipe_ == nullptr || closing_) {
        return reporter_.tell(ports::HandEnded{
            fail(Errc::conflict, settings_.port.path + " is not open; `smsrack modems` says why")});
    }
    if (order.kind == ports::HandOrderKind::ussd) {
        ussd_.begin(order.text, order.force, now_);
    } else {
        hand_.begin(order, now_);
    }
    give_turn();
}

void GsmModem::cut_off_order(bool restarted) {
    hand_.cut_off(restarted);
    ussd_.cut_off();
}

void GsmModem::keep_radio_off(bool off) {
    sleep_ = off;
}

void GsmModem::close_when_idle() {
    closing_ = true;
    inbox_.stop_reading();
}

Waiter& GsmModem::waiter() {
    return source_->waiter();
}

// -- what the modem says

void GsmModem::on_prompt() {
    if (current_ != nullptr) {
        current_->on_prompt(now_);
    }
}

void GsmModem::on_line(at::LineKind kind, std::string_view line) {
    if (current_ != nullptr) {
        current_->on_line(kind, line, now_);
    }
}

void GsmModem::on_piece(std::string_view line) {
    if (state_ == ModemState::evidence) {
        evidence_.on_piece(line, now_);
    } else if (current_ != nullptr) {
        current_->on_piece(line, now_);
    }
    if (is_in_service()) {
        inbox_.look_soon(now_);
    }
}

void GsmModem::on_final(at::FinalResult result) {
    if (auto* speaker = std::exchange(current_, nullptr)) {
        watch_.put_off(now_);
        raise(judge(*speaker, result, speaker->on_final(result, now_)));
        if (speaker == &submit_) {
            inbox_turn_ = inbox_turn;
            inbox_.submit_ended(now_);
        } else if (speaker == &inbox_) {
            inbox_turn_ = inbox_.goes_first(now_) ? std::max(0, inbox_turn_ - 1) : inbox_turn;
        }
    }
}

/// A submit without its answer, and what a person ordered, are drained: the modem may still be at it.
std::optional<Trigger> GsmModem::judge(const Speaker& speaker, at::FinalResult result,
                                       std::optional<Trigger> trigger) {
    if (trigger != Trigger::no_answer) {
        step_check_.answered_well();
        return trigger;
    }
    const bool may_be_at_it =
        &speaker == &hand_ || &speaker == &ussd_ ||
        (&speaker == &submit_ && result.kind != at::FinalKind::ok && !submit_.was_accepted());
    const bool was_heard =
        channel_.was_heard() || (&speaker != &submit_ && result.kind == at::FinalKind::ok);
    if (may_be_at_it || !is_in_service() || !was_heard || !step_check_.begin(now_)) {
        return trigger;
    }
    if (&speaker == &watch_) {
        watch_.poke(now_);
    }
    return std::nullopt;
}

void GsmModem::on_urc(std::string_view line, std::string_view pdu) {
    switch (profile_.urcs.of(line)) {
        case Urc::stored_message:
        case Urc::stored_report:
            return inbox_.on_stored(line, now_);
        case Urc::message:
        case Urc::report:
            return inbox_.on_direct(line, pdu, now_);
        case Urc::registration:
            if (state_ == ModemState::registering ||
                (state_ == ModemState::ready &&
                 !watch_.is_welcome(registration_of(number_field(line, 0))))) {
                watch_.poke(now_);
            }
            return;
        case Urc::event:
            return on_event(line);
        case Urc::late_answer:
            if (state_ == ModemState::evidence) {
                evidence_.on_late(line, now_);
            } else if (state_ == ModemState::draining) {
                drain_.on_late(line);
            } else {
                submit_.on_late(accepted_outcome(line));
            }
            return;
        case Urc::ring:
            return calls_.on_ring();
        case Urc::caller:
            return calls_.on_caller(line);
        case Urc::call_over:
            return calls_.on_over();
        case Urc::ussd:
            return ussd_.on_reply(line);
        case Urc::other:
            return;
    }
}

void GsmModem::on_stray_final(at::FinalResult result) {
    if (state_ == ModemState::evidence) {
        evidence_.on_stray_final(result, now_);
    } else if (state_ == ModemState::draining) {
        drain_.on_stray_final(result);
    }
}

void GsmModem::on_event(std::string_view line) {
    const auto number = number_field(line, 0);
    const auto row = std::ranges::find_if(
        profile_.events, [&](const EventRow& event) { return event.number == number; });
    if (row == profile_.events.end()) {
        return;
    }
    const bool in_service = is_in_service();
    switch (row->means) {
        case Event::restarted:
            return raise(Trigger::rebooted);
        case Event::sim_removed:
            // While the modem is set up: what was read of the card is that of another one.
            sim_gone_ =
                in_service || !facts_.identity.imsi.empty() || !facts_.identity.iccid.empty();
            return start_up_.poke(now_);
        case Event::changed:
            return in_service ? watch_.poke(now_) : start_up_.poke(now_);
    }
}

// -- what follows

void GsmModem::raise(std::optional<Trigger> trigger) {
    if (trigger) {
        triggers_.push_back(*trigger);
    }
}

void GsmModem::apply_triggers() {
    for (const Trigger trigger : triggers_) {
        apply(trigger);  // raises none
    }
    triggers_.clear();
}

void GsmModem::apply(Trigger trigger) {
    if (trigger == Trigger::drained && recovery_.stumbles_on(now_)) {
        trigger = Trigger::gave_up;
    }
    if (trigger == Trigger::gave_up) {
        rung_ = climb();
        trigger = rung_.out_of_service ? Trigger::out_of_service : trigger;
    }
    const auto to = next(modem_rules, state_, trigger);
    if (!to) {
        reporter_.note(LogLevel::debug, "trigger_refused", state_name(state_));
        return;
    }
    enter(std::exchange(state_, *to), trigger);
}

void GsmModem::enter(ModemState from, Trigger trigger) {
    sim_gone_ = sim_gone_ && state_ == ModemState::registering;
    step_check_.cut_off();
    if (state_ != ModemState::draining) {
        submit_.forget_late_refusal();
    }
    switch (state_) {
        case ModemState::opening:
            return enter_opening(trigger);
        case ModemState::evidence:
            return evidence_.begin(now_);
        case ModemState::probing:
            return enter_probing(trigger);
        case ModemState::registering:
            return enter_registering(from);
        case ModemState::ready:
            recovery_.ready();
            waking_ = false;
            sleep_ = false;
            return reporter_.ready(facts_.identity);
        case ModemState::draining:
            return enter_draining();
        case ModemState::failed:
            return enter_failed(trigger);
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

void GsmModem::enter_draining() {
    reporter_.not_ready("no_answer",
                        "the modem on " + settings_.port.path +
                            " does not answer as it should; check its power, cable and baud rate");
    submit_.cut_off();
    inbox_.cut_off(now_);
    cut_off_order(false);
    channel_.abandon();
    current_ = nullptr;
    drain_.begin(now_);
}

void GsmModem::enter_probing(Trigger trigger) {
    if (trigger == Trigger::woken) {
        waking_ = true;
        reporter_.not_ready("waking", "its radio is being switched on");
    } else if (trigger == Trigger::rebooted) {
        if (!waking_) {  // for which some restart
            reporter_.not_ready("rebooted", "the modem restarted; it is set up again");
        }
        evidence_.cut_off();
        submit_.cut_off();
        submit_.forget_late();
    } else if (trigger == Trigger::sim_missing) {
        reporter_.not_ready("sim_absent", "the SIM was taken out; insert one");
        submit_.cut_off();
    } else if (trigger == Trigger::drained) {
        reporter_.befell(ports::Incident::drained);
    } else if (trigger == Trigger::not_searching) {
        reporter_.note(LogLevel::warn, "not_searching",
                       "it does not look for a network; it is set up again");
    } else if (trigger == Trigger::set_by_hand) {
        reporter_.not_ready(
            "set_by_hand",
            "a command given by hand may have changed its settings; it is set up again");
        submit_.cut_off();
    }
    cut_off_order(trigger == Trigger::rebooted);
    inbox_.cut_off(now_);
    calls_.on_over();
    channel_.abandon();
    current_ = nullptr;
    start_up_.begin(now_);
}

void GsmModem::enter_registering(ModemState from) {
    if (from == ModemState::ready) {
        return submit_.give_back();
    }
    note_return();
    if (const auto& is = facts_.identity; iccid_ != is.iccid || imsi_ != is.imsi) {
        iccid_ = is.iccid;
        imsi_ = is.imsi;
        inbox_.forget_all();
    }
    reporter_.tell(ports::ModemIdentified{facts_.identity});
    inbox_.begin(now_);
    watch_.begin(now_);
    link_.begin();
    diagnosis_.begin();
}

void GsmModem::enter_asleep() {
    facts_.registration = ports::Registration::not_registered;
    reporter_.tell(ports::ModemVitals{.registration = facts_.registration});
    reporter_.asleep();
}

/// Everything that came in is with us, and nothing is on its way.
bool GsmModem::may_doze() const {
    return sleep_ && !held_ && !closing_ && state_ == ModemState::ready &&
           submit_.state() == SubmitState::idle && !has_order() && !channel_.is_busy() &&
           inbox_.is_empty();
}

/// What a submit said of modem, SIM and link.
void GsmModem::after_submit() {
    const auto ended = submit_.take_ended();
    if (!ended) {
        return;
    }
    if (ended->outcome.kind == OutcomeKind::accepted ||
        ended->outcome.kind == OutcomeKind::refused) {
        recovery_.reset();
    }
    link_.after_submit(ended->outcome, now_);
    diagnosis_.after_submit(ended->outcome, ended->pdu_sent, now_);
    if (is_storage_full(ended->outcome)) {
        inbox_.sweep(now_);
    }
}

// -- turns

GsmModem::Turns GsmModem::turns() {
    if (step_check_.is_due()) {
        return {&step_check_};
    }
    switch (state_) {
        case ModemState::evidence:
            return {&evidence_};
        case ModemState::probing:
        case ModemState::identifying:
        case ModemState::failed:
            return {&start_up_};
        case ModemState::sim_wait:
            return {&hand_, &ussd_, &start_up_};
        case ModemState::registering:
            return held_ ? Turns{&hand_, &ussd_, &inbox_}
                         : Turns{&calls_, &hand_, &ussd_, &watch_, &inbox_};
        case ModemState::ready:
            if (held_) {
                return {&hand_, &ussd_, &submit_, &inbox_};
            }
            return inbox_turn_ > 0 ? Turns{&calls_,     &hand_, &ussd_,  &watch_,
                                           &diagnosis_, &link_, &inbox_, &submit_}
                                   : Turns{&calls_,     &hand_, &ussd_,   &watch_,
                                           &diagnosis_, &link_, &submit_, &inbox_};
        case ModemState::draining:
            return {&drain_};
        case ModemState::dozing:
            return {&radio_};
        case ModemState::asleep:
            return {&hand_, &ussd_};
        case ModemState::closed:
        case ModemState::opening:
        case ModemState::absent:
            break;
    }
    return {};
}

void GsmModem::give_turn() {
    if (frozen_) {
        return;
    }
    after_submit();
    if (!channel_.is_free(now_)) {
        return;
    }
    for (auto* speaker : turns()) {
        if (speaker != nullptr && speaker->speak(now_)) {
            current_ = speaker;
            return;
        }
    }
}

void GsmModem::tick() {
    raise(submit_.tick(now_));
    raise(step_check_.tick(now_));
    raise(hand_.tick(now_));
    raise(ussd_.tick(now_));
    if (sim_gone_ &&
        !channel_.is_busy()) {  // the command in hand comes to its end first: it may be a submit
        if (is_in_service()) {
            raise(Trigger::sim_missing);
        } else if (state_ == ModemState::identifying) {
            raise(Trigger::sim_changed);
        }
    }
    if (state_ == ModemState::evidence) {
        raise(evidence_.tick(now_));
    }
    if (triggers_.empty() && may_doze()) {
        raise(Trigger::sleep_wanted);
    }
    // Something may have come in while AT+CFUN=0 was in hand.
    if (triggers_.empty() && state_ == ModemState::asleep && (!sleep_ || !inbox_.is_empty())) {
        raise(Trigger::woken);
    }
}

SteadyTime GsmModem::deadline() {
    SteadyTime next = std::min(port_due(), pulse_.due());
    if (!pipe_) {
        return next;
    }
    next = std::min(
        {next, channel_.deadline(), submit_.next_turn(), hand_.give_up_at(), ussd_.give_up_at()});
    if (state_ == ModemState::evidence) {
        next = std::min(next, evidence_.next_turn());
    }
    if (inbox_.goes_first(now_)) {
        next = std::min(next, now_ + InboxReader::store_wait);  // then the next submit may begin
    }
    if (channel_.is_busy()) {
        return next;
    }
    if (channel_.free_at() > now_) {
        return std::min(next, channel_.free_at());
    }
    for (auto* speaker : turns()) {
        next = speaker != nullptr ? std::min(next, speaker->next_turn()) : next;
    }
    return next;
}

}  // namespace smsrack::gsm
