#include "src/dispatch/scale/level_share.hpp"
#include "tests/days/checkers/checkers.hpp"

#include <cstdint>
#include <fmt/format.h>

namespace smsrack::days {
namespace {

/// How much more a process that has run for a while may hold than one that has just begun: pages in
/// SQLite's caches, up to 1.8 MiB here, its prepared statements, 430 of 3.9 KiB, and what waits where
/// much is asked for at once.
constexpr std::size_t more_octets_max = std::size_t{4} * 1024 * 1024;
constexpr std::size_t groups = 1;
constexpr std::uint64_t looked_at_every = 1'024;  // turns: to look costs as much as ten of them

class Bounded final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "bounded"; }

    /// A line has one segment in flight, and each message that is in memory has its place.
    void turn(test::World& world) override {
        if (++turns_ % looked_at_every != 0) {
            return;
        }
        const ports::RackStatus rack = world.rack().status();
        const std::size_t lines = world.rack().lines().size();
        if (rack.with_lines > lines || rack.in_memory < rack.with_lines) {
            throw Violation("bounded",
                            fmt::format("{} messages are with {} lines, {} in memory",
                                        rack.with_lines, lines, rack.in_memory),
                            {});
        }
        if (const std::size_t places = dispatch::slots_for(groups, lines);
            rack.in_memory > places) {
            throw Violation("bounded",
                            fmt::format("{} messages are in memory, which has {} places",
                                        rack.in_memory, places),
                            {});
        }
    }

    void settled(test::World& world) override {
        const ports::RackStatus rack = world.rack().status();
        if (rack.in_memory > 0) {
            throw Violation("bounded",
                            fmt::format("{} messages have their place in memory when all is over, "
                                        "{} with lines",
                                        rack.in_memory, rack.with_lines),
                            {});
        }
    }

    void replaced(std::size_t lived, std::size_t begun) override {
        if (lived > begun + more_octets_max) {
            throw Violation("bounded",
                            fmt::format("a process that has run for a while holds {} KiB more than "
                                        "one that has just begun",
                                        (lived - begun) / 1024),
                            {});
        }
    }

private:
    std::uint64_t turns_ = 0;
};

}  // namespace

std::unique_ptr<Checker> bounded() {
    return std::make_unique<Bounded>();
}

}  // namespace smsrack::days
