#include "drivers/gsm/inbox/inbox_shelf.hpp"

#include "drivers/gsm/fields.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::gsm {
namespace {

std::optional<Memory> memory_of(std::string_view name) {
    if (name == "SM" || name == "MT") {
        return Memory::sm;  // MT is all of them together
    }
    if (name == "SR") {
        return Memory::sr;
    }
    if (name == "ME") {
        return Memory::me;
    }
    return std::nullopt;
}

/// The first for which `holds`; null: none.
auto* first_held(auto& held, auto holds) {
    const auto found =
        std::ranges::find_if(held, [&](const Held& one) { return one.token != 0 && holds(one); });
    return found == held.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Place> InboxShelf::unread() const {
    std::vector<Place> places;
    for (const auto& memory : unread_) {
        std::ranges::transform(memory, std::back_inserter(places), &Unread::place);
    }
    return places;
}

std::vector<Held> InboxShelf::held() const {
    std::vector<Held> held;
    std::ranges::copy_if(held_, std::back_inserter(held),
                         [](const Held& one) { return one.token != 0; });
    return held;
}

void InboxShelf::adopt_acknowledged(const Held& held) {
    (void)hold(held.place, held.came_at);
    Held* const taken = held_at(held.place);
    taken->acknowledged = true;
    taken->again = held.again;
}

void InboxShelf::note(Place place, std::optional<SteadyTime> now) {
    SMSRACK_CHECK(place.index < places_max);
    auto& known = known_[at(place.memory)];
    if (!known.test(place.index)) {
        known.set(place.index);
        unread_[at(place.memory)].push_back({place, now});
    } else if (auto* held = held_at(place)) {
        held->again = true;
    }
}

Unread InboxShelf::take_unread(Memory memory) {
    auto& unread = unread_[at(memory)];
    SMSRACK_CHECK(!unread.empty());
    const Unread taken = unread.front();
    unread.pop_front();
    return taken;
}

void InboxShelf::put_back(Unread unread) {
    unread_[at(unread.place.memory)].push_back(unread);
}

void InboxShelf::forget(Place place) {
    known_[at(place.memory)].reset(place.index);
}

void InboxShelf::forget_unread() {
    for (std::size_t memory = 0; memory < memory_count; ++memory) {
        unread_[memory].clear();
        known_[memory].reset();
    }
    for (const auto& held : held_) {
        if (held.token != 0 && held.place.memory != Memory::direct) {
            known_[at(held.place.memory)].set(held.place.index);
        }
    }
}

bool InboxShelf::knows(Place place) const {
    return place.index < places_max && known_[at(place.memory)].test(place.index);
}

std::size_t InboxShelf::room() const {
    return static_cast<std::size_t>(std::ranges::count(held_, 0U, &Held::token));
}

std::uint32_t InboxShelf::hold(Place place, SteadyTime now) {
    const auto free = std::ranges::find(held_, 0U, &Held::token);
    SMSRACK_CHECK(free != held_.end());
    if (++last_token_ == 0) {
        ++last_token_;
    }
    *free = {.token = last_token_, .place = place, .came_at = now};
    if (place.memory != Memory::direct) {
        known_[at(place.memory)].set(place.index);
    }
    return last_token_;
}

void InboxShelf::acknowledge(std::uint32_t token) {
    const auto found = std::ranges::find(held_, token, &Held::token);
    if (token != 0 && found != held_.end()) {
        found->acknowledged = true;
    }
}

Held* InboxShelf::acknowledged_in(Memory memory) {
    return first_held(
        held_, [&](const Held& held) { return held.acknowledged && held.place.memory == memory; });
}

Held* InboxShelf::held_at(Place place) {
    return first_held(held_, [&](const Held& held) { return held.place == place; });
}

const Held* InboxShelf::unacknowledged_since(SteadyTime since) const {
    return first_held(held_,
                      [&](const Held& held) { return !held.acknowledged && held.came_at > since; });
}

void InboxShelf::release(Held& held) {
    const auto released = std::exchange(held, {});
    if (released.place.memory != Memory::direct) {
        forget(released.place);
        if (released.again) {
            note(released.place, std::nullopt);
        }
    }
}

void InboxShelf::give_up_direct() {
    for (auto& held : held_) {
        held.stale = held.stale || held.place.memory == Memory::direct;
    }
}

bool InboxShelf::awaits_confirmation() const {
    return first_held(held_, [](const Held& held) {
               return held.place.memory == Memory::direct && !held.stale;
           }) != nullptr;
}

void InboxShelf::drop_direct() {
    for (auto& held : held_) {
        if (held.token != 0 && held.place.memory == Memory::direct) {
            held = {};
        }
    }
}

void InboxShelf::clear() {
    held_ = {};
    forget_unread();
}

std::string_view memory_name(Memory memory) {
    constexpr std::array<std::string_view, memory_count> names{"SM", "SR", "ME"};
    return names.at(static_cast<std::size_t>(memory));
}

std::optional<Place> place_of(std::string_view urc) {
    const auto memory = memory_of(field(urc, 0));
    const auto index = number_field(urc, 1);
    if (!memory || !index || *index < 0 || static_cast<std::size_t>(*index) >= places_max) {
        return std::nullopt;
    }
    return Place{*memory, static_cast<std::uint16_t>(*index)};
}

}  // namespace smsrack::gsm
