#include "src/dispatch/scale/availability.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace smsrack::dispatch {
namespace {

struct DoorCounter {
    Door door;
    stats::Counter counter;
};

constexpr std::array door_counters{
    DoorCounter{Door::accepting, stats::Counter::door_accepting},
    DoorCounter{Door::some_groups, stats::Counter::door_some_groups},
    DoorCounter{Door::overloaded, stats::Counter::door_overloaded},
    DoorCounter{Door::full, stats::Counter::door_full},
    DoorCounter{Door::storage, stats::Counter::door_storage},
};
// A row for each, in their order.
static_assert(
    std::ranges::equal(door_counters, std::views::iota(0, std::to_underlying(Door::storage) + 1),
                       {}, [](const DoorCounter& row) { return std::to_underlying(row.door); }));

}  // namespace

Door door_of(const ports::RackStatus& rack, std::int64_t capacity) {
    if (std::ranges::any_of(rack.conditions, [](const ports::Condition& one) {
            return one.stops == ports::Stops::all;
        })) {
        return Door::storage;
    }
    std::int64_t waiting = 0;
    for (const ports::LevelView& level : rack.levels) {
        waiting += level.depth;
    }
    if (waiting >= capacity) {
        return Door::full;
    }
    const auto refusing = std::ranges::count_if(rack.groups, [](const ports::GroupLoad& group) {
        return group.levels.at(level_max).refuses;
    });
    if (refusing == 0) {
        return Door::accepting;
    }
    return static_cast<std::size_t>(refusing) < rack.groups.size() ? Door::some_groups
                                                                   : Door::overloaded;
}

void Availability::look(const ports::RackStatus& rack, SteadyTime now) {
    const auto since = std::chrono::floor<std::chrono::seconds>(now - counted_until_);
    if (since.count() <= 0) {
        return;
    }
    stats_.add(since > answers_within
                   ? stats::Counter::door_no_answer
                   : door_counters.at(std::to_underlying(door_of(rack, capacity_))).counter,
               static_cast<std::uint64_t>(since.count()));
    counted_until_ += since;
}

}  // namespace smsrack::dispatch
