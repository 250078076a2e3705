#include "src/dispatch/desk.hpp"

#include "src/base/check.hpp"
#include "src/dispatch/dispatch_address.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

Turn turn_of(const OutMessage& message) {
    return {.first = message.level, .since = message.queued_at, .id = message.id};
}

/// Scheduled messages that become queued with one question.
constexpr std::size_t due_limit = 64;

/// 0 for a message that has no segment rows yet.
std::uint8_t first_open_segment(const std::vector<MessageState>& segments) {
    const auto open = std::ranges::find_if(segments, [](MessageState state) {
        return state == MessageState::queued || state == MessageState::sending;
    });
    return static_cast<std::uint8_t>(open == segments.end() ? 0 : open - segments.begin());
}

}  // namespace

Desk::Desk(const DispatchSettings& settings, const DispatchWorld& world, DispatchBox& mailbox)
    : window(world.slots.size(), settings.ageing),
      holds(world.quiet),
      begun(settings.disconnect),
      ageing_(settings.ageing),
      world_(world),
      mailbox_(mailbox) {}

std::uint16_t Desk::add_group(GroupId id, std::string name, std::size_t lines) {
    holds.add_group(id, name);
    window.add_group(id);
    return groups.add(id, std::move(name), ageing_, lines);
}

queue::SlotNumber Desk::adopt(queue::OutSlot content) {
    const auto slot = world_.slots.take();
    SMSRACK_CHECK(slot);
    (void)window.enter(content.message.id);
    world_.slots[*slot] = std::move(content);
    return *slot;
}

void Desk::load(OutMessage message, SteadyTime now) {
    const auto group = groups.find(message.group);
    if (!group || !window.enter(message.id)) {
        return;  // no line for it now; or it is here already
    }
    const auto slot = world_.slots.take();
    SMSRACK_CHECK(slot);
    queue::OutSlot& content = world_.slots[*slot];
    content.message = std::move(message);
    content.group = *group;
    content.message.without_validity = without_validity(content.message.past, world_.errors);
    content.pdus.clear();
    content.first_segment = first_open_segment(content.message.segments);
    if (holds.when_may(content.message)) {
        put_back(*slot);
    } else if (content.message.attempts > 0) {
        wait_again(*slot, now);
    } else {
        groups[*group].waiting.push(turn_of(content.message), *slot);
    }
}

void Desk::load_kept(SteadyTime now) {
    while (due.has_kept() && world_.slots.free() > 0) {
        load(due.take_kept(), now);
    }
}

void Desk::refill(std::uint16_t group) {
    if (moves.pending()) {
        return;
    }
    const Group& of = groups[group];
    for (std::size_t i = level_count; i > 0; --i) {
        const auto level = static_cast<Level>(i - 1);
        if (holds.is_quiet(level)) {
            continue;
        }
        const std::size_t waiting = of.waiting.size(level) - of.waiting.size_again(level);
        const auto question = window.ask(group, level, waiting, world_.slots.free());
        if (!question) {
            continue;
        }
        world_.address.reads({of.id, level});
        world_.store.ask(
            [id = of.id, level, question = *question](ports::StoreReader& reader) {
                return reader.queued(id, level, question.after, question.limit);
            },
            [this, group, level,
             limit = question->limit](Result<std::vector<OutMessage>> messages) {
                mailbox_.push(Loaded{group, level, limit, std::move(messages)});
            });
    }
}

std::vector<ports::DueWishes::Retries> Desk::retry_wishes() const {
    return window.retry_wishes(world_.slots.free(), [&](std::uint16_t group, Level level) {
        return groups[group].waiting.size_again(level) + begun.count(group, level);
    });
}

void Desk::take_due() {
    const WallTime wall = world_.clock.wall();
    if (due.messages.ask(wall)) {
        window.look_for_retries();
    }
    auto wished = retry_wishes();
    world_.store.post(
        ports::TakeDue{.now = wall, .wishes = {.scheduled = due_limit, .retries = wished}},
        [this, wished](Result<std::vector<OutMessage>> messages) mutable {
            mailbox_.push(DueTaken{std::move(wished), std::move(messages)});
        });
}

void Desk::loaded(Loaded& mail, SteadyTime now) {
    const auto rows = mail.messages ? std::optional(mail.messages->size()) : std::nullopt;
    switch (window.answered(mail.group, mail.level, mail.asked, rows)) {
        case Window::Answer::unused:
            return;
        case Window::Answer::failed:
            groups[mail.group].held_until = now + storage_pause;
            return;
        case Window::Answer::used:
            break;
    }
    for (OutMessage& message : *mail.messages) {
        if (world_.slots.free() == 0) {
            window.news(mail.group, mail.level);  // it is read again
            return;
        }
        window.loaded(mail.group, mail.level, message);
        load(std::move(message), now);
    }
    world_.stats.add(stats::Counter::queue_refills);
}

bool Desk::is_empty(std::uint16_t group) const {
    const Group& of = groups[group];
    bool empty = of.encoded.empty() && begun.empty() && !due.has_kept();
    for (Level level = 0; level < level_count; ++level) {
        empty = empty && of.waiting.size(level) == 0 && window.is_complete(group, level);
    }
    return empty;
}

void Desk::about_to_queue(OutMessage message, SteadyTime now) {
    const auto group = groups.find(message.group);
    if (group && is_empty(*group) && !moves.pending() && world_.slots.free() > 0 &&
        !holds.when_may(message)) {
        load(std::move(message), now);
    }
}

void Desk::due_taken(DueTaken& mail, SteadyTime now) {
    const WallTime asked_at = due.messages.answered();
    if (!mail.messages) {
        window.retries_came(mail.wished, {});
        // All are asked for again then.
        due.messages.at(world_.clock.wall() + storage_pause);
        return;
    }
    window.retries_came(mail.wished, *mail.messages);
    due.keep(std::move(*mail.messages));
    if (moves.pending()) {  // they were taken before the move was asked for
        for (OutMessage& message : due.kept()) {
            move_message(message, moves.last());
        }
    }
    load_kept(now);
    world_.store.ask(
        [asked_at](ports::StoreReader& reader) { return reader.next_due(asked_at); },
        [this](Result<std::optional<WallTime>> at) { mailbox_.push(NextDue{std::move(at)}); });
}

void Desk::next_due(const NextDue& mail) {
    if (!mail.at) {
        due.messages.at(world_.clock.wall() + storage_pause);  // it could not be read
    } else if (*mail.at) {
        due.messages.at(**mail.at);
    }
}

void Desk::wait_again(queue::SlotNumber slot, SteadyTime now) {
    queue::OutSlot& content = world_.slots[slot];
    moves.set_right(content.message);
    if (content.message.pinned_sim != SimId{}) {
        begun.wait({.slot = slot,
                    .sim = content.message.pinned_sim,
                    .group = content.group,
                    .level = content.message.level},
                   now);
    } else {
        groups[content.group].waiting.push(turn_of(content.message), slot, true);
    }
}

void Desk::move_times(const ClockMove& move, SteadyTime now) {
    for (OutMessage& message : due.kept()) {
        move_message(message, move);
    }
    const auto any = [](queue::SlotNumber) { return queue::Look::take; };
    for (std::uint16_t i = 0; i < groups.size(); ++i) {
        Group& group = groups[i];
        group.waiting.move_times(move);
        while (const auto encoded = group.encoded.withdraw(world_.clock.wall(), any)) {
            wait_again(*encoded, now);  // at its place by the times as they are now
        }
    }
    window.times_moved();
    due.messages.at(world_.clock.wall());
}

void Desk::release(queue::SlotNumber slot) {
    window.leave(world_.slots[slot].message.id);
    moves.forget(world_.slots[slot].message.id);
    world_.slots[slot].pdus.clear();
    world_.slots.release(slot);
}

void Desk::finish(queue::SlotNumber slot, MessageEvent event, std::string detail) {
    world_.store.post(ports::FinishMessage{.message = world_.slots[slot].message.id,
                                           .event = event,
                                           .detail = std::move(detail),
                                           .at = world_.clock.wall(),
                                           .queued_by = world_.slots[slot].message.queued_by},
                      [this, slot](const Result<MessageState>& ended) {
                          const bool was_replaced = !ended &&
                                                    ended.error().code == Errc::conflict &&
                                                    ended.error().detail == ports::was_replaced;
                          mailbox_.push(Finished{.slot = slot, .was_replaced = was_replaced});
                      });
}

void Desk::finished(const Finished& mail) {
    if (mail.was_replaced) {
        read_again(world_.slots[mail.slot].group);
    }
    release(mail.slot);
}

void Desk::restart(queue::SlotNumber slot, std::string detail, WallTime due_at) {
    world_.store.post(ports::RestartMessage{.message = world_.slots[slot].message.id,
                                            .detail = std::move(detail),
                                            .due_at = due_at,
                                            .at = world_.clock.wall()});
    due.messages.at(due_at);
    release(slot);
}

bool Desk::ends_here(queue::SlotNumber slot) {
    OutMessage& message = world_.slots[slot].message;
    moves.set_right(message);
    if (!is_over(message, world_.clock)) {
        return false;
    }
    finish(slot, MessageEvent::too_late, "ttl");
    return true;
}

void Desk::put_back(queue::SlotNumber slot) {
    const OutMessage& message = world_.slots[slot].message;
    const WallTime wall = world_.clock.wall();
    const WallTime until = holds.when_may(message).value_or(wall);
    if (message.attempts == 0) {
        if (until != ports::no_end_yet) {
            window.set_aside(world_.slots[slot].group, until);
        }
    } else if (world_.control != nullptr) {
        put_off(message.id, until == ports::no_end_yet ? wall : until);
    }
    release(slot);
}

void Desk::set_aside(queue::SlotNumber slot, WallTime until) {
    if (world_.slots[slot].message.attempts > 0) {  // its row waits for a time
        return restart(slot, "quota", until);
    }
    window.set_aside(world_.slots[slot].group, until);
    release(slot);
}

/// The store says when it is due, since it knows of pauses first.
void Desk::put_off(MessageId message, WallTime until) {
    world_.control->post(
        ports::PutOff{.message = message, .until = until, .at = world_.clock.wall()},
        [this](const Result<std::optional<WallTime>>& due_at) {
            if (due_at && *due_at) {
                mailbox_.push(DueHint{**due_at});
            }
        });
}

void Desk::empty(std::uint16_t group) {
    queue::SendBufferQueue& waiting = groups[group].waiting;
    const WallTime wall = world_.clock.wall();
    while (const auto turn = waiting.next(wall)) {
        put_back(waiting.take(*turn));
    }
}

void Desk::put_back_held(std::uint16_t group) {
    if (!holds.must_look()) {
        return;
    }
    const auto is_held = [&](queue::SlotNumber slot) {
        return holds.when_may(world_.slots[slot].message) ? queue::Look::take
                                                          : queue::Look::further;
    };
    while (const auto slot = groups[group].encoded.withdraw(world_.clock.wall(), is_held)) {
        put_back(*slot);
    }
}

}  // namespace smsrack::dispatch
