#include "drivers/gsm/inbox/inbox_reader.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gsm {

void InboxReader::begin(SteadyTime now) {
    cut_off(now);
    shelf_.forget_unread();
    shelf_.drop_direct();
    direct_.drop_waiting();
    plan_.begin(now);
    notify_.begin(now);
    stored_.begin(facts_.storage_used, facts_.storage_total);
}

InboxCarried InboxReader::carried() const {
    InboxCarried carried{.unread = shelf_.unread(),
                         .selected = stored_.selected(),
                         .sweep_at = plan_.list_at(),
                         .storage_used = stored_.storage().used(),
                         .storage_total = stored_.storage().total(),
                         .set_anew = notify_.is_due_again() || direct_.has_waiting()};
    for (const Held& held : shelf_.held()) {
        if (held.acknowledged) {
            carried.acknowledged.push_back(held);
        } else if (held.place.memory == Memory::direct) {
            carried.set_anew = true;
        } else {
            carried.unread.push_back(held.place);
        }
    }
    return carried;
}

void InboxReader::adopt(const InboxCarried& carried) {
    for (const Held& held : carried.acknowledged) {
        shelf_.adopt_acknowledged(held);
    }
    for (const Place place : carried.unread) {
        shelf_.note(place, std::nullopt);
    }
    plan_.adopt(carried.sweep_at);
    notify_.adopt(carried.set_anew);
    stored_.adopt(carried.selected, carried.storage_used, carried.storage_total);
}

void InboxReader::cut_off(SteadyTime now) {
    switch (std::exchange(part_, Part::none)) {
        case Part::direct:
            return direct_.cut_off();
        case Part::notify:
            return notify_.cut_off();
        case Part::stored:
            return stored_.cut_off(now);
        case Part::none:
            return;
    }
}

void InboxReader::forget_all() {
    shelf_.clear();
    stored_.forget_trouble();
    direct_.drop_waiting();
}

std::size_t InboxReader::room_kept() const {
    if (!may_read()) {
        return inbox_bound;
    }
    return stored_.is_reading() ? 1 : 0;
}

bool InboxReader::goes_first(SteadyTime now) const {
    return (may_read() && stored_.has_unread(now)) || stored_.is_reading() ||
           shelf_.unacknowledged_since(now - store_wait) != nullptr;
}

bool InboxReader::is_empty() const {
    return part_ == Part::none && !direct_.has_waiting() && shelf_.held().empty() &&
           shelf_.unread().empty() && !notify_.is_due_again();
}

bool InboxReader::speak(SteadyTime now) {
    if (notify_.is_held()) {
        return start(Part::notify, notify_.next(now, false), now);
    }
    direct_.tell_waiting(room_kept());
    plan_.unblock(now);
    return start(Part::direct, direct_.next(now), now) ||
           start(Part::notify, notify_.next(now, direct_.is_settled()), now) ||
           start(Part::stored, stored_.next(may_read(), now), now);
}

bool InboxReader::start(Part part, const std::optional<at::Command>& command, SteadyTime now) {
    if (command) {
        part_ = part;
        stored_.count_command();
        channel_.start(*command, now);
    }
    return command.has_value();
}

SteadyTime InboxReader::next_turn() const {
    const SteadyTime notify = notify_.next_turn();
    return notify_.is_held() ? notify : std::min(notify, plan_.next_turn(may_read()));
}

void InboxReader::on_line(at::LineKind kind, std::string_view line, SteadyTime now) {
    if (part_ == Part::notify) {
        notify_.on_line(line, now);
    } else if (part_ == Part::stored) {
        stored_.on_line(kind, line, now);
    }
}

std::optional<Trigger> InboxReader::on_final(at::FinalResult result, SteadyTime now) {
    const bool timed_out = result.kind == at::FinalKind::timed_out;
    if (part_ == Part::notify) {
        notify_.on_final(result, now);
    }
    if (timed_out) {
        cut_off(now);
        return Trigger::no_answer;
    }
    const Part part = std::exchange(part_, Part::none);
    if (part == Part::direct) {
        direct_.on_final(result, now);
    }
    return part == Part::stored ? stored_.on_final(result, channel_.may_owe_ok(), now)
                                : std::nullopt;
}

}  // namespace smsrack::gsm
