// The dispatcher's way out: store -> send buffer queue -> codec -> send queue -> a free line.
#include "src/base/check.hpp"
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

constexpr std::size_t refill_chunk =
    64;  // messages of one level of a group in memory: a second's work of a large group
constexpr std::size_t refill_below = 16;

}  // namespace

void Dispatcher::pump(std::uint16_t group) {
    Group& of = groups_[group];
    of.encoded.open(!stopping_ && now_ >= of.held_until && pinned_.empty());
    if (stopping_) {
        return;
    }
    if (of.set_aside_until && *of.set_aside_until <= world_.clock.wall()) {
        look_again(of);
    }
    if (now_ >= of.held_until) {
        give_pinned(of);
        give_encoded(of);
        set_aside(of);
    }
    encode(group);
    refill(group);
}

bool Dispatcher::line_may_send(const Line& line) const {
    return line.ready && !line.holds && now_ >= line.rests_until && !line.cools_until;
}

/// A begun long message goes on with the SIM that its first segments went out with.
void Dispatcher::give_pinned(Group& group) {
    for (std::size_t i = 0; i < pinned_.size();) {
        const queue::SlotNumber slot = pinned_[i].slot;
        const OutMessage& message = world_.slots[slot].message;
        const auto line = std::ranges::find_if(group.free_lines, [&](ModemId id) {
            const Line& free = lines_[id.value];
            return free.sim == message.pinned_sim && line_may_send(free) && quota_lets(free, slot);
        });
        if (line == group.free_lines.end()) {
            ++i;
            continue;
        }
        const ModemId chosen = *line;
        pinned_.erase(pinned_.begin() + static_cast<std::ptrdiff_t>(i));
        if (ends_here(slot)) {
            continue;
        }
        if (const auto encoded = world_.codec.encode(world_.slots[slot]); !encoded) {
            world_.store.finish(message.id, MessageEvent::give_up, "unencodable",
                                world_.clock.wall(), [](auto) {});
            release(slot);
            continue;
        }
        std::erase(group.free_lines, chosen);
        give(chosen, slot);
    }
}

void Dispatcher::give_encoded(Group& group) {
    for (std::size_t tried = 0; tried < group.free_lines.size();) {
        const ModemId line = group.free_lines[tried];
        const Line& free = lines_[line.value];
        if (!line_may_send(free) || keeps_for_pinned(free)) {
            ++tried;
            continue;
        }
        const auto slot = group.encoded.take_where(
            [&](queue::SlotNumber number) { return look_at(free, number); });
        if (!slot && free.line->quota() == nullptr) {
            return;  // nothing is left for anyone
        }
        if (!slot) {
            ++tried;
            continue;
        }
        if (ends_here(*slot)) {
            continue;
        }
        group.free_lines.erase(group.free_lines.begin() + static_cast<std::ptrdiff_t>(tried));
        give(line, *slot);
    }
}

/// True where the message's time was over: it is ended, and the slot free.
bool Dispatcher::ends_here(queue::SlotNumber slot) {
    OutMessage& message = world_.slots[slot].message;
    if (clock_move_ && clock_move_->concerns(message.created_at)) {  // loaded before the move
        message.created_at += clock_move_->by;
        message.expires_at += clock_move_->by;
    }
    if (message.expires_at > world_.clock.wall()) {
        return false;
    }
    world_.store.finish(message.id, MessageEvent::too_late, "ttl", world_.clock.wall(),
                        [](auto) {});
    release(slot);
    return true;
}

void Dispatcher::give(ModemId line, queue::SlotNumber slot) {
    Line& to = lines_[line.value];
    SMSRACK_CHECK(!to.holds && to.line != nullptr);
    world_.codec.refresh_validity(world_.slots[slot]);
    to.holds = true;
    in_hand_.fetch_add(1, std::memory_order_acq_rel);
    to.line->give(slot);
}

/// Fills the free places of the send queue: one job of the pool for all of them.
void Dispatcher::encode(std::uint16_t group) {
    Group& of = groups_[group];
    Encoded work{.group = group, .messages = {}};
    while (!of.encoded.full()) {
        const auto slot = of.waiting.pop();
        if (!slot) {
            break;
        }
        if (!ends_here(*slot)) {
            work.messages.push_back({of.encoded.reserve(), *slot, std::nullopt});
        }
    }
    if (work.messages.empty()) {
        return;
    }
    world_.codec_pool.post([this, work = std::move(work)]() mutable {
        for (EncodedOne& one : work.messages) {
            if (auto encoded = world_.codec.encode(world_.slots[one.slot]); !encoded) {
                one.error = std::move(encoded.error());
            }
        }
        mailbox_.push(std::move(work));
    });
}

void Dispatcher::on(Encoded& mail) {
    Group& group = groups_[mail.group];
    for (const EncodedOne& one : mail.messages) {
        if (!one.error) {
            group.encoded.fill(one.ticket, one.slot);
            continue;
        }
        group.encoded.give_up(one.ticket);
        const MessageId id = world_.slots[one.slot].message.id;
        world_.log.error("message_unencodable",
                         {{"message", id.value}, {"error", one.error->context}});
        world_.store.finish(id, MessageEvent::give_up, "unencodable", world_.clock.wall(),
                            [](auto) {});
        release(one.slot);
    }
}

void Dispatcher::refill(std::uint16_t group) {
    Group& of = groups_[group];
    for (std::size_t i = level_count; i > 0; --i) {
        const auto level = static_cast<Level>(i - 1);
        RefillState& state = of.refill[level];
        const std::size_t limit = std::min(refill_chunk, world_.slots.free());
        if (!state.more || state.loading || of.waiting.size(level) >= refill_below || limit == 0) {
            continue;
        }
        state.more = false;  // set again by a full answer, or by news from the store
        state.loading = true;
        world_.store.read([this, group, level, limit, id = of.id,
                           after = state.after](ports::StoreReader& reader) {
            mailbox_.push(Loaded{group, level, limit, reader.queued(id, level, after, limit)});
        });
    }
}

}  // namespace smsrack::dispatch
