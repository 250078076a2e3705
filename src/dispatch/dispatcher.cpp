#include "src/dispatch/dispatcher.hpp"

#include "src/base/check.hpp"
#include "src/base/time_text.hpp"
#include "src/dispatch/dispatch_address.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

using ports::LineGate;

/// Messages that a step looks at; about ten milliseconds of the writing thread.
constexpr std::size_t step_limit = 256;

}  // namespace

Dispatcher::Dispatcher(const DispatchSettings& settings, const DispatchWorld& world)
    : world_(world),
      mailbox_(world.address.mailbox()),
      desk_(settings, world, mailbox_),
      lines_(settings.cooling, world.errors),
      giving_(settings.kept, world, desk_, lines_, mailbox_,
              [this](ModemId line, queue::SlotNumber slot) {
                  gauges_.in_hand.fetch_add(1, std::memory_order_acq_rel);
                  addresses_.at(line.value)->give(slot);
              }),
      returns_(settings.retry, world, desk_, lines_, mailbox_,
               {.go_on = [this](ModemId line) { addresses_.at(line.value)->go_on(); },
                .cools =
                    [this](ModemId line, Cause cause, std::chrono::milliseconds pause) {
                        world_.log.warn("line_cooling", {{"modem", world_.board.name(line)},
                                                         {"cause", cause.code},
                                                         {"seconds", pause.count() / 1000}});
                        cools(line, pause);
                    }}) {}

std::uint16_t Dispatcher::add_group(GroupId id, std::string name, std::size_t lines) {
    lines_.add_group();
    return desk_.add_group(id, std::move(name), lines);
}

queue::SendQueue& Dispatcher::add_line(ModemId id, std::uint16_t group, line::LineAddress& address,
                                       const line::SimQuota* quota,
                                       std::optional<ports::UncertainAttempt> left_open) {
    SMSRACK_CHECK(id.value == lines_.size());
    lines_.add(group, std::move(left_open));
    lines_.set_quota(id, quota);
    addresses_.push_back(&address);
    desk_.window.add_line();
    return desk_.groups[group].encoded;
}

void Dispatcher::begin_blocked(ModemId id) {
    lines_.begin_blocked(id);
    addresses_.at(id.value)->shut(true);
    world_.board.gate(id, LineGate::blocked, false);
}

queue::SlotNumber Dispatcher::adopt(ModemId line, SimId sim, queue::OutSlot content) {
    content.group = lines_[line].group;
    const queue::SlotNumber slot = desk_.adopt(std::move(content));
    lines_.adopt(line, sim);
    gauges_.in_hand.fetch_add(1, std::memory_order_acq_rel);
    note_gauges();
    return slot;
}

void Dispatcher::settle() {
    mailbox_.take_all(mail_);
    for (DispatchMail& mail : mail_) {
        if (const auto* ended = std::get_if<SegmentEnded>(&mail)) {
            on(*ended);
        } else if (const auto* late = std::get_if<LateAnswered>(&mail)) {
            on(*late);
        } else if (const auto* earlier = std::get_if<EarlierAnswered>(&mail)) {
            on(*earlier);
        }
    }
}

SteadyTime Dispatcher::step(SteadyTime now) {
    now_ = now;
    lines_.begin(now);
    watch_clock();
    do {
        mailbox_.take_all(mail_);
        for (DispatchMail& mail : mail_) {
            std::visit([this](auto& content) { on(content); }, mail);
        }
    } while (!mail_.empty());
    const SteadyTime deadline = run_timers();
    desk_.holds.look_at_quiet_hours(world_.clock.wall());
    giving_.give_all(now, stopping_);
    note_drained();
    note_gauges();
    note_eager();
    return std::min(deadline, giving_.room_at());
}

void Dispatcher::note_gauges() {
    gauges_.places_taken.store(world_.slots.size() - world_.slots.free(),
                               std::memory_order_relaxed);
    const bool starves = !stopping_ && giving_.starves(now_);
    if (!starves || starves_since() == never) {
        const SteadyTime since = starves ? now_ : never;
        gauges_.starves_since.store(since.time_since_epoch().count(), std::memory_order_relaxed);
    }
}

/// Where that is so the store waits a little for the attempt: a wrong word costs time, and no more.
void Dispatcher::note_eager() {
    for (std::uint16_t group = 0; group < desk_.groups.size(); ++group) {
        world_.address.show_eager(desk_.groups[group].id,
                                  !stopping_ && giving_.is_eager(group, now_));
    }
}

// -- the store's queue

/// Without a line of its group it waits in the store until one is configured.
void Dispatcher::on(const WorkWaits& mail) {
    if (const auto group = desk_.groups.find(mail.group)) {
        desk_.window.news(*group, mail.level);
    }
}

// -- lines

void Dispatcher::on(const LineReady& mail) {
    const auto cools_until = lines_.become_ready(mail.line, mail.sim, now_);
    desk_.window.end_set_aside(lines_[mail.line].group);
    giving_.keep_lines(lines_[mail.line].group);
    if (cools_until) {
        cools(mail.line, *cools_until - now_);
    }
}

void Dispatcher::on(const LineLost& mail) {
    if (lines_.lose(mail.line)) {
        world_.board.pause(mail.line, std::nullopt);  // it begins again with the SIM
    }
    const Line& line = lines_[mail.line];
    giving_.keep_lines(line.group);
    // Otherwise a manual command or a hand-over has it, or it is parked and its radio may be off on
    // purpose.
    if (!world_.board.is_active(mail.line) && line.gate != LineGate::parked) {
        world_.stats.add(stats::Counter::modem_losses);
    }
}

void Dispatcher::on(GateOrdered& mail) {
    const auto gate = lines_.order(mail.line, mail.order);
    if (!gate) {
        if (mail.done) {
            const std::string_view name = line_gate_name(lines_[mail.line].gate);
            mail.done(fail(Errc::conflict, "the modem is " + std::string(name)));
        }
        return;
    }
    if (gate->from != gate->to) {
        line::LineAddress& line = *addresses_.at(mail.line.value);
        line.shut(gate->to != LineGate::open);
        if (gate->from == LineGate::parked) {
            line.park(false);
        }
        const bool holds = holds_something(mail.line);
        const std::string_view name = line_gate_name(gate->to);
        world_.board.gate(mail.line, gate->to, holds);
        world_.log.info(
            "line_gate",
            {{"modem", world_.board.name(mail.line)}, {"gate", name}, {"holds", holds}});
        keep_event(mail.line, std::string(name));
        desk_.window.end_set_aside(lines_[mail.line].group);
    }
    const ports::GateAnswer answer{.gate = gate->to, .holds = holds_something(mail.line)};
    const bool by_operator = gate->from == LineGate::blocked || gate->to == LineGate::blocked;
    if (world_.rack_store != nullptr && by_operator) {
        return answer_gate(mail, answer);
    }
    if (mail.done) {
        mail.done(answer);
    }
}

/// A gate that the operator shut or opened holds over a restart before it is answered.
void Dispatcher::answer_gate(GateOrdered& mail, ports::GateAnswer answer) {
    world_.rack_store->post(
        ports::KeepGate{world_.board.name(mail.line), answer.gate == LineGate::blocked,
                        world_.clock.wall()},
        [done = std::move(mail.done), answer](Result<> kept) mutable {
            if (!done) {
                return;
            }
            if (kept) {
                return done(answer);
            }
            kept.error().context =
                "the modem is " + std::string(line_gate_name(answer.gate)) +
                " now, but would not be after a restart: " + kept.error().context;
            done(std::unexpected(std::move(kept.error())));
        });
}

void Dispatcher::keep_event(ModemId line, std::string detail) {
    world_.store.post(ports::KeepEvent{{.at = world_.clock.wall(),
                                        .type = EventType::modem_state,
                                        .modem = world_.board.name(line),
                                        .detail = std::move(detail)}});
}

void Dispatcher::cools(ModemId line, std::chrono::nanoseconds left) {
    const WallTime until = world_.clock.wall() + std::chrono::ceil<std::chrono::milliseconds>(left);
    world_.board.pause(line, ports::LinePause{.reason = "cooling", .until = until});
    keep_event(line, "cooling until " + time_text(until));
}

/// The rest of a long message that the line has begun counts too.
bool Dispatcher::holds_something(ModemId line) const {
    return lines_[line].holds || desk_.begun.keeps(lines_[line].sim);
}

void Dispatcher::note_drained() {
    for (const ModemId line :
         lines_.take_emptied([this](ModemId id) { return holds_something(id); })) {
        const LineGate gate = lines_[line].gate;
        world_.board.gate(line, gate, false);
        world_.log.info("line_drained", {{"modem", world_.board.name(line)}});
        keep_event(line, "drained");
        if (gate == LineGate::parked) {
            addresses_.at(line.value)->park(true);
        }
    }
}

void Dispatcher::on(const SegmentEnded& mail) {
    returns_.segment_ended(mail.line, mail.done, now_);
    if (mail.done.returned && !mail.done.next_slot) {
        gauges_.in_hand.fetch_sub(1, std::memory_order_acq_rel);
    }
}

// -- time

SteadyTime Dispatcher::run_timers() {
    const WallTime wall = world_.clock.wall();
    Due& due = desk_.due;
    desk_.load_kept(now_);
    // Where it may not, what ends that (an answer, a free slot) comes as mail: no time is waited
    // for.
    const auto may_take_due = [&] { return !stopping_ && !due.has_kept(); };
    if (may_take_due() && !due.messages.is_open() &&
        (due.messages.is_due(wall) || desk_.wants_retries())) {
        desk_.take_due();
    }
    if (due.doubts.is_due(wall) && !due.doubts.is_open() && !desk_.moves.pending()) {
        returns_.ask_for_doubts(wall);
    }
    if (due.take_sweep(now_)) {
        check_clock();
        if (!desk_.moves.pending()) {
            sweep();
        }
    }
    returns_.drop_lost(now_);
    for (const ModemId line : lines_.take_cooled(now_)) {
        world_.board.pause(line, std::nullopt);
        world_.log.info("line_cooled", {{"modem", world_.board.name(line)}});
        keep_event(line, "active");
    }
    SteadyTime deadline =
        std::min({due.deadline(now_, wall, may_take_due(), !desk_.moves.pending()),
                  desk_.begun.deadline(), lines_.deadline(now_)});
    for (std::uint16_t group = 0; group < desk_.groups.size(); ++group) {
        const SteadyTime held_until = desk_.groups[group].held_until;
        deadline = held_until > now_ ? std::min(deadline, held_until) : deadline;
    }
    return deadline;
}

/// Finds what no timer is set for: expired messages in the store, doubts from before this process,
/// and messages that continue because of a status report.
void Dispatcher::sweep() {
    desk_.window.look_for_retries();
    desk_.due.doubts.at(world_.clock.wall());
    cancel_batches();  // also those that a crash or a full disk interrupted
    world_.store.post(ports::ExpireOverdue{.now = world_.clock.wall(), .limit = step_limit},
                      [this](const Result<std::size_t>& expired) {
                          if (expired && *expired == step_limit) {
                              mailbox_.push(SweepOn{});
                          }
                      });
}

void Dispatcher::cancel_batches() {
    if (world_.control == nullptr) {
        return;
    }
    world_.control->post(ports::CancelSome{.at = world_.clock.wall(), .limit = step_limit},
                         [this](const Result<bool>& more) {
                             if (more && *more) {
                                 mailbox_.push(CancelOn{});
                             }
                         });
}

/// The clock was set while this process runs: what waits becomes neither older nor younger by it. A
/// clock that was not believed at the start is looked at with each sweep.
void Dispatcher::watch_clock() {
    if (desk_.moves.pending() || world_.guard == nullptr || world_.guard->waits()) {
        return;
    }
    if (const auto move = world_.guard->correction()) {
        begin_move(*move, "clock_jumped");
    }
}

/// Starts trusting the clock again once it has been set.
void Dispatcher::check_clock() {
    if (desk_.moves.take_refused()) {
        move_times(desk_.moves.last());
    }
    if (desk_.moves.pending() || world_.guard == nullptr || !world_.guard->waits()) {
        return;
    }
    if (const auto move = world_.guard->correction()) {
        begin_move(*move, "clock_believed");
    }
}

/// The store gets the move before any thread reads the new time, so what it counts by that time
/// comes after the move.
void Dispatcher::begin_move(const ClockMove& move, std::string_view what) {
    desk_.moves.begin(move, desk_.window.in_memory());
    move_times(move);
    world_.guard->believe(move);
    desk_.move_times(move, now_);
    world_.log.info(what, {{"by_ms", move.by.count()}});
    world_.store.post(ports::KeepEvent{{.at = world_.clock.wall(),
                                        .type = EventType::service_notice,
                                        .detail = std::string(what)}});
}

void Dispatcher::move_times(const ClockMove& move) {
    world_.store.post(ports::MoveTimes{move}, [this](Result<std::size_t> messages) {
        mailbox_.push(TimesMoved{std::move(messages)});
    });
}

/// The store itself waits while the disk takes no write. After any other error it is asked again
/// with the next sweep.
void Dispatcher::on(const TimesMoved& mail) {
    desk_.moves.answered(mail.messages.has_value());
    if (!mail.messages) {
        world_.log.error("times_not_moved", {{"what", mail.messages.error().context}});
    }
}

/// All levels are read again, since resumed messages may be older than the last one that was read.
void Dispatcher::on(const PausesChanged& mail) {
    const WallTime wall = world_.clock.wall();
    desk_.holds.set_pauses(mail.pauses, wall);
    desk_.window.rewind();
    desk_.due.messages.at(wall);
    cancel_batches();
}

}  // namespace smsrack::dispatch
