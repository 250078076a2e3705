// The message in flight: its segments to modem and store, and their ends to dispatch.
#include "src/line/may_send.hpp"
#include "src/line/modem_line.hpp"

#include <chrono>
#include <utility>

namespace smsrack::line {
namespace {

using namespace std::chrono_literals;

/// Of the dialogue, before a submit that went wrong: what led to it.
constexpr auto dialogue_before = 2s;

}  // namespace

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
    world_.modem.expect_more(run_.has_more() || !world_.encoded.empty());
    world_.modem.begin_submit(slot.pdus.at(run_.segment()));
    world_.store.post(
        ports::BeginAttempt{.message = slot.message.id,
                            .segment = run_.segment(),
                            .segments = static_cast<std::uint8_t>(slot.pdus.size()),
                            .concat_ref = slot.message.concat_ref,
                            .modem = settings_.name,
                            .sim = seat_.sim(),
                            .at = at,
                            .queued_by = slot.message.queued_by,
                            .quota = counted ? std::optional(counted->check) : std::nullopt},
        [this, number](Result<AttemptId> attempt) {
            const bool refused = !attempt;
            mailbox_.leave(AttemptBegun{number, std::move(attempt)});
            // Otherwise the prompt wakes the line, or the end of its time.
            if (refused || wants_attempt_) {
                world_.modem.waiter().wake();
            }
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
        note(done.attempt, ports::NoteKind::dialogue,
             world_.modem.dialogue().text(end->begun_at - dialogue_before, ports::note_octets_max));
        note(done.attempt, ports::NoteKind::diagnosis, std::move(end->diagnosis));
        if (done.outcome.kind == OutcomeKind::refused) {
            world_.board.count_failed(settings_.id);
        }
    }
    if (!done.returned) {
        world_.board.busy(settings_.id, true, now_);
        world_.listener.segment_done(settings_.id, std::move(done));  // go_on() follows
        return;
    }
    if (accepted && done.rest.count() == 0) {
        done.rest = world_.encoded.rest_before_next(settings_.id, end->answered);
    }
    done.next_slot = accepted && done.rest.count() == 0 ? next_message() : std::nullopt;
    world_.board.busy(settings_.id, done.next_slot.has_value(), now_);
    if (done.next_slot) {  // first on the wire, then told
        run_.take(*done.next_slot);
        begin_when_read();
    }
    world_.listener.segment_done(settings_.id, std::move(done));
}

/// So that the operator can see later what happened. Nothing where no attempt was written: then nothing was
/// sent either.
void ModemLine::note(AttemptId attempt, ports::NoteKind kind, std::string text) {
    if (attempt.value != 0 && !text.empty()) {
        world_.store.post(ports::NoteAttempt{
            .attempt = attempt,
            .note = {.kind = kind, .at = world_.clock.wall(), .text = std::move(text)}});
    }
}

/// The next message without a round through dispatch, unless there is something to decide about it.
std::optional<queue::SlotNumber> ModemLine::next_message() {
    if (!may_take(state_) || settings_.pace.count() > 0 || orders_.waiting() ||
        !world_.modem.can_submit()) {
        return std::nullopt;
    }
    const Sender self{.gate_open = !world_.address.shut_.load(std::memory_order_acquire),
                      .sim = seat_.sim(),
                      .quota = world_.quota};
    return world_.encoded.take_if(settings_.id, world_.clock.wall(), [&](queue::SlotNumber number) {
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

/// nullopt if the SIM has no quota.
std::optional<SimQuota::Counted> ModemLine::count_segment(const std::string& to, WallTime at) {
    if (world_.quota == nullptr) {
        return std::nullopt;
    }
    const SimQuota::Counted counted = world_.quota->count(at, recipient_hash(to));
    if (counted.news) {
        report_.quota(*counted.news);
    }
    return counted;
}

/// No attempt was written: the store has not counted it. Where it counts otherwise than we do, it is asked.
void ModemLine::not_counted(const Error& why) {
    if (!run_.counted()) {
        return;
    }
    if (why.code == Errc::quota_exhausted) {
        report_.quota_refused(why.context);
        world_.quota->forget();
        seat_.count_again();
        ask_about_seat();
    } else {
        world_.quota->take_back(*run_.counted());
    }
}

}  // namespace smsrack::line
