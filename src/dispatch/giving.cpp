#include "src/dispatch/giving.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;

/// Before a message that no SIM takes is looked at again, where no quota says when.
constexpr auto aside_for = 1h;

/// How long a message waits for the SIM that its client named, or a part of a long one for the SIM of
/// the parts before it, where that cannot send: a modem needs less to be ready after a start of the
/// service.
constexpr auto named_sim_wait = 60s;

/// Of one SIM, as a line has places. More would take the places of what other lines could send.
constexpr std::size_t encoded_of_sim_max = 2;
/// Before the store is asked again for those of which there was enough.
constexpr auto named_again = 500ms;
constexpr std::size_t named_sims_max = 1'000;

/// What is encoded on this thread, some 40 segments: to hand less to the pool and to take it back
/// takes longer than encoding it (docs/decisions/0040-queues-and-pools-of-the-papers.md).
constexpr std::size_t octets_here_max = 5'600;

std::uint32_t segments_of(const queue::OutSlot& slot) {
    const std::size_t segments = std::max(slot.pdus.size(), slot.message.segments.size());
    return static_cast<std::uint32_t>(std::max<std::size_t>(segments, 1));
}

/// A message without a text has a segment too.
std::size_t octets_of(const queue::OutSlot& slot) {
    constexpr std::size_t segment = 140;
    const MessageBody& body = slot.message.body;
    return std::max(segment, body.text.size() + body.data.size());
}

Lines::Load load_of(const queue::OutSlot& slot) {
    return {.recipient = line::recipient_hash(slot.message.body.to), .segments = segments_of(slot)};
}

}  // namespace

Giving::Giving(const KeptLines& kept, const DispatchWorld& world, Desk& desk, Lines& lines,
               DispatchBox& mailbox, HandOver hand_over)
    : kept_(kept),
      world_(world),
      desk_(desk),
      lines_(lines),
      mailbox_(mailbox),
      hand_over_(std::move(hand_over)),
      routes_(world.slots.size()) {}

void Giving::give_all(SteadyTime now, bool stopping) {
    room_at_ = aside_at_ = never;
    route_waits_ = false;
    look_at_named_sims();
    if (!stopping) {
        give_begun(now);
    }
    for (std::uint16_t group = 0; group < desk_.groups.size(); ++group) {
        give(group, now, stopping);
    }
    desk_.holds.looked();
}

void Giving::give(std::uint16_t group, SteadyTime now, bool stopping) {
    Group& of = desk_.groups[group];
    const bool paused = desk_.holds.is_paused(of.id);
    const bool store_works = now >= of.held_until;
    desk_.put_back_held(group);
    of.encoded.open(!stopping && store_works && desk_.begun.empty() && !paused);
    if (stopping) {
        return;
    }
    desk_.window.end_set_aside(group, world_.clock.wall());
    if (paused) {
        return desk_.empty(group);
    }
    space_starts(of);
    if (store_works) {
        give_encoded(group, now, true);  // what they take leaves the others to all
        give_encoded(group, now, false);
        set_aside(group);
    }
    desk_.refill(group);
    encode(group, now);
    if (const auto until = desk_.window.set_aside_until(group)) {
        const auto wait = std::max<std::chrono::milliseconds>(*until - world_.clock.wall(), 1ms);
        aside_at_ = std::min(aside_at_, now + wait);
    }
}

/// By what its submits took recently.
void Giving::space_starts(Group& group) {
    const overload::Service service = world_.flow.responses().service(group.id);
    group.encoded.space(
        queue::spacing_rule(service.mean, service.variation, service.samples, group.ready_lines));
}

void Giving::keep_lines(std::uint16_t group) {
    std::vector<ModemId> ready = lines_.ready(group);
    desk_.groups[group].ready_lines = ready.size();
    const std::size_t most = ready.empty() ? 0 : ready.size() - 1;
    const std::size_t kept = std::min(kept_.lines, most);
    ready.erase(ready.begin(), ready.end() - static_cast<std::ptrdiff_t>(kept));
    desk_.groups[group].encoded.keep(std::move(ready), kept_.least);
}

/// Those that can send again.
void Giving::look_at_named_sims() {
    std::erase_if(away_since_, [this](const auto& row) {
        const auto& [group, sim] = row.first;
        return lines_.can_send(group, sim, {});
    });
}

std::chrono::milliseconds Giving::wait_for_sim(const queue::OutSlot& slot) {
    const OutMessage& message = slot.message;
    if (!message.sim_is_named) {
        return 0ms;
    }
    if (away_since_.size() >= named_sims_max) {
        away_since_.clear();
    }
    const SteadyTime now = world_.clock.steady();
    const auto [away, is_new] = away_since_.try_emplace({slot.group, message.known_sim}, now);
    const auto waited = std::chrono::floor<std::chrono::milliseconds>(now - away->second);
    return std::clamp<std::chrono::milliseconds>(named_sim_wait - waited, 0ms, named_sim_wait);
}

/// Its SIM has other messages, and this one would wait for it.
bool Giving::has_enough_encoded(const queue::OutSlot& slot) {
    const OutMessage& message = slot.message;
    if (!message.sim_is_named || message.attempts > 0) {
        return false;
    }
    const auto encoded = desk_.groups[slot.group].encoded.count_if([&](queue::SlotNumber number) {
        const OutMessage& other = desk_[number].message;
        return other.sim_is_named && other.known_sim == message.known_sim;
    });
    return encoded >= encoded_of_sim_max &&
           (lines_.can_send(slot.group, message.known_sim, load_of(slot)) ||
            wait_for_sim(slot) > 0ms);
}

line::MaySendAnswer Giving::may_send(ModemId id, queue::SlotNumber slot) {
    const Line& line = lines_[id];
    const queue::OutSlot& content = desk_[slot];
    const OutMessage& message = content.message;
    const auto other_can_send = [&](std::optional<SimId> sim) {
        return lines_.other_can_send(id, sim, load_of(content)) || wait_for_sim(content) > 0ms;
    };
    const bool to_itself = message.self_sms && world_.board.own_number(id) == message.body.to;
    return line::may_send(
        {.gate_open = line.gate == ports::LineGate::open, .sim = line.sim, .quota = line.quota},
        routes_.of(message, line.sim, to_itself, other_can_send), content, world_.clock);
}

/// A message that another SIM should send is passed by; one that is too long for what is left of
/// the quota stops the line, so that short ones do not use it up for ever. One that has expired is
/// taken and ended.
queue::Look Giving::look_at(ModemId line, queue::SlotNumber slot, SteadyTime now) {
    using line::MaySend;
    const line::MaySendAnswer answer = may_send(line, slot);
    if (answer.pause && answer.pause->until) {  // else the line says when it knows
        const auto wait =
            std::max<std::chrono::milliseconds>(*answer.pause->until - world_.clock.wall(), 1ms);
        room_at_ = std::min(room_at_, now + wait);
    }
    switch (answer.what) {
        case MaySend::other_sim:
            route_waits_ = true;
            if (const queue::OutSlot& waits = desk_[slot];
                waits.message.sim_is_named &&
                !lines_.can_send(waits.group, waits.message.known_sim, load_of(waits))) {
                room_at_ = std::min(room_at_, now + std::max(wait_for_sim(waits), 1ms));
            }
            return queue::Look::further;
        case MaySend::no_recipient:
            return queue::Look::further;
        case MaySend::gate_shut:
        case MaySend::no_room:
            return queue::Look::stop;
        case MaySend::yes:
        case MaySend::expired:
        case MaySend::stale:
            break;
    }
    return queue::Look::take;
}

/// A long message that has begun continues with the SIM that sent its first segments, whichever
/// line has it now, and in a pause too.
void Giving::give_begun(SteadyTime now) {
    desk_.begun.take_where([&](const Begun::Message& one) {
        const auto line = lines_.idle_with(one.sim, now);
        if (!line || now < desk_.groups[lines_[*line].group].held_until ||
            look_at(*line, one.slot, now) != queue::Look::take) {
            return false;
        }
        if (desk_.ends_here(one.slot)) {
            return true;
        }
        if (world_.codec.encode(desk_[one.slot])) {
            hand_over(*line, one.slot);
        } else {
            desk_.finish(one.slot, MessageEvent::give_up, "unencodable");
        }
        return true;
    });
}

void Giving::give_encoded(std::uint16_t group, SteadyTime now, bool kept) {
    queue::SendQueue& encoded = desk_.groups[group].encoded;
    const WallTime wall = world_.clock.wall();
    const auto& free = lines_.free(group);
    for (std::size_t tried = 0; tried < free.size();) {
        const ModemId line = free[tried];
        const Line& of = lines_[line];
        if (!of.works() || !of.may_take(now) || encoded.is_kept(line) != kept ||
            desk_.begun.keeps(of.sim)) {
            ++tried;
            continue;
        }
        bool passed = false;  // some that another line may take
        const auto slot = encoded.take_where(line, wall, [&](queue::SlotNumber number) {
            const queue::Look look = look_at(line, number, now);
            passed = passed || look != queue::Look::take;
            return look;
        });
        if (!slot && !passed) {
            return;  // nothing is left for any line
        }
        if (!slot) {
            ++tried;
        } else if (!desk_.ends_here(*slot)) {
            hand_over(line, *slot);
        }
    }
}

void Giving::hand_over(ModemId line, queue::SlotNumber slot) {
    queue::OutSlot& content = desk_[slot];
    routes_.given(content.message, lines_[line].sim);
    world_.codec.refresh_validity(content);
    lines_.give(line);
    hand_over_(line, slot);
}

/// Out of the way of those behind them that have a known recipient. They stay in the store until
/// the month turns or a SIM comes.
void Giving::set_aside(std::uint16_t group) {
    const auto none_takes = [&](queue::SlotNumber slot) {
        const std::uint64_t recipient = line::recipient_hash(desk_[slot].message.body.to);
        return lines_.none_takes(desk_[slot].group, recipient) ? queue::Look::take
                                                               : queue::Look::stop;
    };
    const WallTime wall = world_.clock.wall();
    while (const auto slot = desk_.groups[group].encoded.withdraw(wall, none_takes)) {
        const auto pause =
            world_.board.group_pause(desk_.groups[group].name, 1, desk_[*slot].message.body.to);
        desk_.set_aside(*slot, pause && pause->until ? *pause->until : wall + aside_for);
    }
}

/// Fills the free places of the send queue: one job for all of them.
void Giving::encode(std::uint16_t group, SteadyTime now) {
    Group& of = desk_.groups[group];
    Encoded work{.group = group, .messages = {}};
    std::size_t octets = 0;
    const WallTime wall = world_.clock.wall();
    const auto may_go = [&](const Turn& turn) {
        return !desk_.window.may_bring_better(group, turn, wall);
    };
    const auto promoted_may_go = [&](const Turn& turn) {
        return !desk_.window.may_bring_better(group, turn, wall, Window::Lane::promoted);
    };
    const auto displaced = [&](queue::SlotNumber slot) { desk_.wait_again(slot, now); };
    while (const auto turn = of.next_to_encode(wall, may_go, promoted_may_go, displaced)) {
        const queue::SlotNumber slot = of.waiting.take(*turn);
        if (desk_.holds.when_may(desk_[slot].message)) {
            desk_.put_back(slot);
        } else if (desk_.ends_here(slot)) {
            continue;
        } else if (has_enough_encoded(desk_[slot])) {
            desk_.set_aside(slot, wall + named_again);
        } else {
            of.encoded.reserve(*turn, slot);
            work.messages.push_back({*turn, slot, std::nullopt});
            octets += octets_of(desk_[slot]);
        }
    }
    if (work.messages.empty()) {
        return;
    }
    auto job = [this, work = std::move(work)]() mutable {
        for (EncodedOne& one : work.messages) {
            if (auto encoded = world_.codec.encode(desk_[one.slot]); !encoded) {
                one.error = std::move(encoded.error());
            }
        }
        mailbox_.push(std::move(work));
    };
    octets <= octets_here_max ? job() : world_.codec_pool.post(std::move(job));
}

void Giving::encoded(const Encoded& work) {
    queue::SendQueue& encoded = desk_.groups[work.group].encoded;
    desk_.holds.came_from_codec();
    for (const EncodedOne& one : work.messages) {
        const OutMessage& message = desk_[one.slot].message;
        const bool waits = desk_.holds.when_may(message).has_value();
        if (!one.error && !waits) {
            encoded.fill(one.turn);
            continue;
        }
        encoded.give_up(one.turn);
        if (!one.error) {
            desk_.put_back(one.slot);
            continue;
        }
        world_.log.error("message_unencodable",
                         {{"message", message.id.value}, {"error", one.error->context}});
        desk_.finish(one.slot, MessageEvent::give_up, "unencodable");
    }
}

bool Giving::starves(SteadyTime now) const {
    if (room_at_ != never || route_waits_) {
        return false;
    }
    for (std::uint16_t group = 0; group < desk_.groups.size(); ++group) {
        if (starves(group, now)) {
            return true;
        }
    }
    return false;
}

bool Giving::starves(std::uint16_t group, SteadyTime now) const {
    const Group& of = desk_.groups[group];
    bool work = !of.encoded.empty();
    for (Level level = 0; level < level_count; ++level) {
        work = work || of.waiting.size(level) > 0 || desk_.window.is_reading(group, level);
    }
    return work && any_may_take(group, now);
}

bool Giving::is_eager(std::uint16_t group, SteadyTime now) const {
    return desk_.is_empty(group) && any_may_take(group, now);
}

/// A free line may take a message of any level.
bool Giving::any_may_take(std::uint16_t group, SteadyTime now) const {
    const Group& of = desk_.groups[group];
    return !desk_.holds.is_paused(of.id) && now >= of.held_until &&
           std::ranges::any_of(lines_.free(group), [&](ModemId id) {
               const Line& line = lines_[id];
               return line.may_take(now) && line.works() && !desk_.begun.keeps(line.sim) &&
                      !of.encoded.is_kept(id);
           });
}

}  // namespace smsrack::dispatch
