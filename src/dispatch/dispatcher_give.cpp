// The dispatcher's way out: store -> send buffer queue -> codec -> send queue -> a free line.
#include "src/base/check.hpp"
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

void Dispatcher::pump(std::uint16_t group) {
    Group& of = groups_[group];
    set_aside_paused(of);
    of.encoded.open(!stopping_ && now_ >= of.held_until && pinned_.empty() && !of.paused);
    if (stopping_) {
        return;
    }
    if (of.set_aside_until && *of.set_aside_until <= world_.clock.wall()) {
        look_again(of);
    }
    if (now_ >= of.held_until) {
        give_pinned(of);  // in a pause too: the rest of what has begun
    }
    if (of.paused) {
        return empty_paused(of);
    }
    space_starts(of);
    if (now_ >= of.held_until) {
        give_encoded(of, true);  // what they take leaves the others to all
        give_encoded(of, false);
        set_aside(of);
    }
    refill(group);
    encode(group);
}

/// By what its submits took of late.
void Dispatcher::space_starts(Group& group) {
    const overload::Service service = world_.flow.responses().service(group.id);
    group.encoded.space(
        queue::spacing_rule(service.mean, service.variation, service.samples, group.ready_lines));
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
            return free.sim == message.pinned_sim && line_may_send(free) &&
                   look_at(free, slot) == queue::Look::take;
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

void Dispatcher::give_encoded(Group& group, bool kept) {
    const WallTime wall = world_.clock.wall();
    for (std::size_t tried = 0; tried < group.free_lines.size();) {
        const ModemId line = group.free_lines[tried];
        const Line& free = lines_[line.value];
        if (group.encoded.is_kept(line) != kept || !line_may_send(free) || keeps_for_pinned(free)) {
            ++tried;
            continue;
        }
        bool passed = false;  // some that another line may take
        const auto slot = group.encoded.take_where(line, wall, [&](queue::SlotNumber number) {
            const queue::Look look = look_at(free, number);
            passed = passed || look != queue::Look::take;
            return look;
        });
        if (!slot && !passed) {
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
    set_right(message);
    if (!is_over(message, world_.clock)) {
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
    note_sticky(to, world_.slots[slot].message);
    world_.codec.refresh_validity(world_.slots[slot]);
    to.holds = true;
    in_hand_.fetch_add(1, std::memory_order_acq_rel);
    to.line->give(slot);
}

/// Whose turn it is to be encoded; nothing: nobody's, there is no room, or the store is asked for one that goes before.
std::optional<Turn> Dispatcher::next_to_encode(Group& group, WallTime now) {
    const auto may_go = [&](const std::optional<Turn>& turn) {
        return turn && !store_may_have_better(group, *turn, now);
    };
    if (const auto least = group.encoded.lacks_for_kept()) {
        if (const auto next = group.waiting.next(now, *least); may_go(next)) {
            return next;
        }
    }
    if (const auto next = group.waiting.next(now); may_go(next) && make_room(group, *next, now)) {
        return next;
    }
    const auto promoted =
        group.encoded.lacks_promoted(now) ? group.waiting.next_promoted(now) : std::nullopt;
    const bool is_first = promoted && !store_may_have_better(group, *promoted, now, Lane::promoted);
    return is_first ? promoted : std::nullopt;
}

/// For one that goes before what is encoded already, the last of that goes back.
bool Dispatcher::make_room(Group& group, const Turn& turn, WallTime now) {
    if (group.encoded.has_room_for(turn, now)) {
        return true;
    }
    const auto displaced = group.encoded.displace(turn, now);
    if (displaced) {
        wait_again(*displaced);
    }
    return displaced.has_value();
}

/// While a level is read: what comes of it does not wait for longer than the last that came, but may go before all that is here.
bool Dispatcher::store_may_have_better(const Group& group, const Turn& turn, WallTime now,
                                       Lane lane) const {
    const Standing here = standing(settings_.ageing, turn, now);
    for (Level level = 0; level < level_count; ++level) {
        const RefillState& state = group.refill.at(level);
        const Turn at_best{.first = level, .since = state.since};
        const Standing best = standing(settings_.ageing, at_best, now);
        const bool competes = lane == Lane::all || best.promoted;
        if (state.loading && competes && goes_before(best, here)) {
            return true;
        }
    }
    return false;
}

/// Fills the free places of the send queue: one job of the pool for all of them.
void Dispatcher::encode(std::uint16_t group) {
    Group& of = groups_[group];
    Encoded work{.group = group, .messages = {}};
    const WallTime wall = world_.clock.wall();
    while (const auto turn = next_to_encode(of, wall)) {
        const queue::SlotNumber slot = of.waiting.take(*turn);
        if (waits(world_.slots[slot].message)) {
            put_back(slot);
        } else if (!ends_here(slot)) {
            of.encoded.reserve(*turn, slot);
            work.messages.push_back({*turn, slot, std::nullopt});
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
    // Another worker's may stand behind these, where no look at the queue reached it.
    look_at_encoded_ = look_at_encoded_ || !held_batches_.empty() || quiet_until_.has_value();
    for (const EncodedOne& one : mail.messages) {
        if (!one.error && !waits(world_.slots[one.slot].message)) {
            group.encoded.fill(one.turn);
            continue;
        }
        group.encoded.give_up(one.turn);
        if (!one.error) {
            put_back(one.slot);
            continue;
        }
        const MessageId id = world_.slots[one.slot].message.id;
        world_.log.error("message_unencodable",
                         {{"message", id.value}, {"error", one.error->context}});
        world_.store.finish(id, MessageEvent::give_up, "unencodable", world_.clock.wall(),
                            [](auto) {});
        release(one.slot);
    }
}

void Dispatcher::refill(std::uint16_t group) {
    if (moving_) {
        return;
    }
    Group& of = groups_[group];
    const LevelShare most = share();
    for (std::size_t i = level_count; i > 0; --i) {
        const auto level = static_cast<Level>(i - 1);
        RefillState& state = of.refill.at(level);
        const std::size_t here = of.waiting.size(level) - of.waiting.size_again(level);
        const std::size_t limit =
            std::min(most.loaded - std::min(most.loaded, here), world_.slots.free());
        const bool enough = here >= most.below && !state.rewound;
        if (!state.more || state.loading || enough || limit == 0 || level_is_quiet(level)) {
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

/// The last ones of those that are ready.
void Dispatcher::keep_lines(std::uint16_t group) {
    std::vector<ModemId> ready;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (lines_[i].group == group && lines_[i].ready) {
            ready.push_back({static_cast<std::uint16_t>(i)});
        }
    }
    groups_[group].ready_lines = ready.size();
    const std::size_t most = ready.empty() ? 0 : ready.size() - 1;
    const std::size_t kept = std::min(settings_.kept.lines, most);
    ready.erase(ready.begin(), ready.end() - static_cast<std::ptrdiff_t>(kept));
    groups_[group].encoded.keep(std::move(ready), settings_.kept.least);
}

}  // namespace smsrack::dispatch
