#include "src/line/modem_line.hpp"

#include "src/base/check.hpp"
#include "src/line/may_send.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::line {
namespace {

using namespace std::chrono_literals;

constexpr auto dialogue_before = 2s;  // of a submit that went wrong: what led to it

/// Percent of the SIM's places: above the first an alarm, below the second it is over.
constexpr int storage_alarm = 80;
constexpr int storage_calm = 70;

}  // namespace

ModemLine::ModemLine(LineSettings settings, LineWorld world)
    : settings_(std::move(settings)),
      world_(world),
      mailbox_(world.modem.waiter()),
      run_({.pause = settings_.pace, .jitter = settings_.pace_jitter}, world.slots, world.random),
      seat_({.slot = settings_.name,
             .policy = settings_.sim_policy,
             .number = settings_.number,
             .plan = settings_.plan,
             .has_quota = world.quota != nullptr}),
      rest_(settings_.rest) {
    world_.board.listen_to(settings_.id, world_.modem.dialogue());
    if (!settings_.adopted) {
        world_.modem.open({.attempt_open = settings_.left_open.has_value()});
    }
}

void ModemLine::give(queue::SlotNumber slot) {
    SMSRACK_CHECK(given_.push(slot));
    world_.modem.waiter().wake();
}

void ModemLine::go_on() {
    mailbox_.push(GoOn{});
}

void ModemLine::acknowledge(std::uint32_t token) {
    mailbox_.push(Kept{token});
}

void ModemLine::not_kept(std::uint32_t token) {
    mailbox_.push(NotKept{token});
}

void ModemLine::port_changed() {
    mailbox_.push(PortChanged{});
}

void ModemLine::order(ports::HandOrder order, ports::HandDone done) {
    mailbox_.push(GivenOrder{std::move(order), std::move(done)});
}

void ModemLine::close_when_idle() {
    mailbox_.push(Close{});
}

SteadyTime ModemLine::step(SteadyTime now) {
    now_ = now;
    if (seat_.retries(now)) {
        ask_about_seat();
    }
    pdus_wait(receiver_.offer_again(seat_.sim(), now));
    stop_link_if_late();
    go_on_if_rested();
    SteadyTime deadline = never;
    bool again = true;
    while (again) {
        again = take_mail();
        again = take_order() || again;
        again = take_work() || again;
        again = begin_when_read() || again;
        again = take_rest() || again;
        deadline = world_.modem.step(now);
        again = take_events() || again;
    }
    world_.board.life(settings_.id, life());
    settled_.store(settled_now(), std::memory_order_release);
    return std::min({deadline, seat_.retry_at(), receiver_.offer_at(), stop_at_,
                     orders_.give_up_at(), run_.deadline(), held_back_ ? never : rest_.deadline()});
}

bool ModemLine::take_mail() {
    mailbox_.take_all(mail_);
    for (Mail& mail : mail_) {
        std::visit([this](auto& content) { on(content); }, mail);
    }
    return !mail_.empty();
}

bool ModemLine::take_events() {
    bool any = false;
    while (const auto event = world_.modem.next_event()) {
        any = true;
        std::visit([this](const auto& content) { on(content); }, *event);
    }
    return any;
}

bool ModemLine::take_work() {
    if (!run_.is_empty()) {
        return false;
    }
    const auto slot = given_.pop();
    if (!slot) {
        return false;
    }
    run_.take(*slot);
    world_.board.busy(settings_.id, true, now_);
    begin_when_read();
    return true;
}

/// Dispatch is told that the line is lost, so that a message never waits behind a person.
bool ModemLine::take_order() {
    orders_.give_up_late(now_);
    if (!run_.is_empty() || !orders_.waiting() || orders_.in_hand()) {
        return false;
    }
    ports::HandOrder order = orders_.take();
    apply(LineEvent::claim);
    world_.log.info("hand_order", {{"modem", settings_.name}, {"order", ports::name_of(order)}});
    world_.modem.begin_order(std::move(order));
    return true;
}

/// The attempt's transaction looks for a STOP, so what came in is read and stored before the segment begins.
/// False: no segment is due, or it still waits for that.
bool ModemLine::begin_when_read() {
    if (run_.state() != RunState::due || (may_take(state_) && world_.modem.reads_first())) {
        return false;
    }
    begin_segment();
    return true;
}

/// AT+CMGS goes out and the attempt goes to the disk, side by side.
void ModemLine::begin_segment() {
    const queue::OutSlot& slot = run_.message();
    if (!may_take(state_) || !world_.modem.can_submit() ||
        quota_pause(world_.quota, slot, run_.segment())) {
        return_unsent();
        return;
    }
    const WallTime at = world_.clock.wall();
    const auto counted = count_segment(slot.message.body.to, at);
    const std::uint64_t number = run_.begin(world_.clock.steady(), at, counted);
    world_.modem.expect_more(run_.has_more() || (encoded_ != nullptr && encoded_->has_more()));
    world_.modem.begin_submit(slot.pdus.at(run_.segment()));
    world_.store.begin_attempt({.message = slot.message.id,
                                .segment = run_.segment(),
                                .segments = static_cast<std::uint8_t>(slot.pdus.size()),
                                .concat_ref = slot.message.concat_ref,
                                .modem = settings_.name,
                                .sim = seat_.sim(),
                                .at = at,
                                .quota = counted ? std::optional(counted->check) : std::nullopt},
                               [this, number](Result<AttemptId> attempt) {
                                   mailbox_.push(AttemptBegun{number, std::move(attempt)});
                               });
}

void ModemLine::return_unsent() {
    ports::SegmentDone unsent = run_.give_back();
    world_.board.busy(settings_.id, false, now_);
    world_.listener.segment_done(settings_.id, std::move(unsent));
}

void ModemLine::on(const AttemptBegun& mail) {
    run_.attempted(mail.number, mail.attempt);
    if (!run_.is_answered()) {
        if (mail.attempt && !run_.is_late(world_.clock)) {
            world_.modem.release_pdu();
        } else {
            world_.modem.withhold_pdu();
        }
    }
    if (!mail.attempt) {
        not_counted(mail.attempt.error());
    }
    finish_segment_if_done();
}

void ModemLine::on(const ports::SubmitDone& event) {
    run_.submitted(event, world_.clock.steady());
    if (const auto attempt = run_.attempt(); attempt && event.pdu_sent) {
        world_.store.note_answer(*attempt, event.outcome);
    }
    finish_segment_if_done();
}

void ModemLine::finish_segment_if_done() {
    auto end = run_.take_end(now_);
    if (!end) {
        return;
    }
    ports::SegmentDone& done = end->done;
    const bool accepted = done.outcome.kind == OutcomeKind::accepted;
    if (accepted) {
        world_.board.count_accepted(settings_.id);
    } else {
        note_trouble(*end);
        if (done.outcome.kind == OutcomeKind::refused) {
            world_.board.count_failed(settings_.id);
        }
    }
    if (!done.returned) {
        world_.board.busy(settings_.id, true, now_);
        world_.listener.segment_done(settings_.id, std::move(done));  // go_on() follows
        return;
    }
    if (accepted && encoded_ != nullptr && done.rest.count() == 0) {
        done.rest = encoded_->rest_before_next(settings_.id, end->answered);
    }
    done.next_slot = accepted && done.rest.count() == 0 ? next_message() : std::nullopt;
    world_.board.busy(settings_.id, done.next_slot.has_value(), now_);
    if (done.next_slot) {  // first on the wire, then told
        run_.take(*done.next_slot);
        begin_when_read();
    }
    world_.listener.segment_done(settings_.id, std::move(done));
}

/// What was said goes with the attempt, so that somebody can see later what happened.
void ModemLine::note_trouble(SegmentEnd& end) {
    note(end.done.attempt, ports::NoteKind::dialogue,
         world_.modem.dialogue().text(end.begun_at - dialogue_before, ports::note_octets_max));
    note(end.done.attempt, ports::NoteKind::diagnosis, std::move(end.diagnosis));
}

/// Nothing where no attempt was written: then nothing was sent either.
void ModemLine::note(AttemptId attempt, ports::NoteKind kind, std::string text) {
    if (attempt.value != 0 && !text.empty()) {
        world_.store.note_attempt(
            attempt, {.kind = kind, .at = world_.clock.wall(), .text = std::move(text)});
    }
}

/// The next message without a round through dispatch, unless there is something to decide about it.
std::optional<queue::SlotNumber> ModemLine::next_message() {
    if (encoded_ == nullptr || !may_take(state_) || settings_.pace.count() > 0 || orders_.waiting() ||
        !world_.modem.can_submit()) {
        return std::nullopt;
    }
    const Sender self{
        .gate_open = !shut_.load(std::memory_order_acquire), .sim = seat_.sim(), .quota = world_.quota};
    return encoded_->take_if(settings_.id, world_.clock.wall(), [&](queue::SlotNumber number) {
        const queue::OutSlot& slot = world_.slots[number];
        return may_send(self, {.known = slot.message.known_sim}, slot, world_.clock).what ==
               MaySend::yes;
    });
}

void ModemLine::on(const ports::LateAnswer& event) {
    if (const auto late = run_.take_given_up()) {
        note(late->attempt, ports::NoteKind::dialogue,
             world_.modem.dialogue().text(late->begun_at, ports::note_octets_max));
        world_.listener.late_answer(settings_.id,
                                    {late->attempt, late->message, late->segment, event.outcome});
    }
}

void ModemLine::on(const ports::EarlierAttempt& event) {
    if (event.outcome.kind == OutcomeKind::unknown) {
        run_.gave_up_before(settings_.left_open);
    }
    world_.listener.earlier_attempt(settings_.id, event.outcome);
}

void ModemLine::on(const ports::ModemNotReady& event) {
    rest_.lost(now_);
    world_.board.not_ready(settings_.id, ports::LinkState::pending, event.reason, event.detail);
    world_.log.write(woken_at_ ? LogLevel::info : LogLevel::warn, "line_not_ready",
                     {{"modem", settings_.name}, {"reason", event.reason}});
    tell(event.reason);
    if (stop_at_ == never) {
        stop_at_ = now_ + settings_.disconnect;
    }
    apply(LineEvent::modem_lost);
}

/// A row of the event log, and one for whoever listens.
void ModemLine::tell(const std::string& state) {
    world_.store.keep_event({.at = world_.clock.wall(),
                             .type = EventType::modem_state,
                             .modem = settings_.name,
                             .detail = state});
}

/// [EBAS] listener: link lost for longer than the disconnect timer.
void ModemLine::stop_link_if_late() {
    if (now_ >= stop_at_) {
        stop_at_ = never;
        world_.board.stop(settings_.id);
        tell("stop");
    }
}

void ModemLine::on(const ports::ModemVitals& event) {
    world_.board.vitals(settings_.id, event);
}

void ModemLine::on(const ports::ReceivedPdu& event) {
    rest_.heard(now_);
    pdus_wait(receiver_.take(event, seat_.sim(), world_.clock.wall(), now_));
    world_.modem.pause_reading(receiver_.is_full());
}

/// The codec hears of each PDU that was passed on to it.
void ModemLine::pdus_wait(std::size_t passed_on) {
    for (; passed_on > 0; --passed_on) {
        world_.listener.pdus_wait(settings_.id);
    }
}

void ModemLine::on(const ports::PduErased& event) {
    if (seat_.sim().value != 0) {
        world_.store.forget_held(seat_.sim(), event.place);
    } else {
        receiver_.remember(event);
    }
}

void ModemLine::on(const ports::PlacesListed& event) {
    if (seat_.sim().value != 0) {
        world_.store.forget_held_elsewhere(seat_.sim(), event.memory, event.indexes);
    } else {
        receiver_.remember(event);
    }
}

/// Counted; and told where it says something of the modem that outlasts the moment.
void ModemLine::on(const ports::ModemIncident& event) {
    world_.board.befell(settings_.id, event.kind);
    switch (event.kind) {
        case ports::Incident::restarted:
        case ports::Incident::reconnected:
        case ports::Incident::call_refused:
        case ports::Incident::modem_changed:
        case ports::Incident::pdu_unreadable:
            return tell(std::string(ports::incident_name(event.kind)));
        default:  // steps of a recovery, whose beginning and end are told
            return;
    }
}

void ModemLine::on(const Kept& mail) {
    receiver_.kept(mail.token);
    world_.board.count_received(settings_.id);
    world_.modem.acknowledge(mail.token);
    world_.modem.pause_reading(receiver_.is_full());
}

void ModemLine::on(const NotKept& mail) {
    receiver_.not_kept(mail.token, now_);
}

void ModemLine::on(const ports::PinWanted& event) {
    world_.store.begin_pin_try(
        event.pin, world_.clock.wall(), [this, pin = event.pin](Result<bool> may_try) {
            mailbox_.push(PinJudged{pin, !may_try   ? ports::PinVerdict::later
                                         : *may_try ? ports::PinVerdict::enter
                                                    : ports::PinVerdict::refused});
        });
}

void ModemLine::on(const PinJudged& mail) {
    world_.modem.enter_pin(mail.pin, mail.verdict);
}

void ModemLine::on(const ports::PinTried& event) {
    world_.store.end_pin_try(event.pin, event.taken);
    if (!event.taken) {
        world_.log.error("pin_refused", {{"modem", settings_.name}});
    }
}

void ModemLine::on(const ports::SimStorage& event) {
    world_.board.sim_storage(settings_.id, event.used, event.total);
    const int percent = event.used * 100 / event.total;
    if (percent >= storage_alarm && !sim_nearly_full_) {
        sim_nearly_full_ = true;
        world_.log.warn("sim_nearly_full",
                        {{"modem", settings_.name}, {"used", event.used}, {"places", event.total}});
        tell("sim_nearly_full");
    } else if (percent < storage_calm) {
        sim_nearly_full_ = false;
    }
}

void ModemLine::on(const ports::Diagnosis& event) {
    note(run_.diagnosed(event.text), ports::NoteKind::diagnosis, event.text);
}

/// In order behind the end of the segment before: the store takes one attempt of a message at a time.
void ModemLine::on(const GoOn&) {
    run_.stored();
    go_on_if_rested();
}

void ModemLine::go_on_if_rested() {
    if (run_.rest_is_over(now_, held_back_)) {
        begin_when_read();
    }
}

void ModemLine::on(const PortChanged&) {
    world_.modem.port_changed();
}

void ModemLine::on(GivenOrder& mail) {
    orders_.add(std::move(mail), now_);
}

void ModemLine::on(const ports::HandEnded& event) {
    orders_.end(event.answer);
    release_if_free();
}

void ModemLine::on(const Close&) {
    world_.modem.close_when_idle();
}

}  // namespace smsrack::line
