#include "firmware-host/system/ticks.hpp"

#include <utility>

namespace smsrack::host {
namespace {

using namespace std::chrono_literals;

constexpr auto retention_period = 60s;
constexpr auto release_period = 60s;
constexpr std::size_t rows_a_step = 256;  // about a millisecond of the writing thread

/// When the minute that the wall clock shows is over.
SteadyTime next_minute(const Clock& clock) {
    const WallTime now = clock.wall();
    return clock.steady() + (std::chrono::floor<std::chrono::minutes>(now) + 1min - now);
}

}  // namespace

Ticks::Ticks(TickSettings settings, TickWorld world)
    : settings_(settings),
      world_(world),
      minute_(world.loop, world.clock, [this] { return note_signals(); }) {
    watches_.push_back(world_.loop.every(retention_period, [this] { remove_old(); }));
    watches_.push_back(world_.loop.every(release_period, [this] { release_incomplete(); }));
    if (settings_.messages_anonymise || settings_.inbox_anonymise) {
        watches_.push_back(world_.loop.every(retention_period, [this] { anonymise(); }));
    }
    minute_.by(next_minute(world_.clock));
}

void Ticks::remove_old() {
    const WallTime now = world_.clock.wall();
    world_.store.post(ports::RemoveOld{.messages_before = now - settings_.messages_keep,
                                       .inbox_before = now - settings_.inbox_keep,
                                       .limit = rows_a_step},
                      [this](Result<std::size_t> removed) {
                          if (removed && *removed == rows_a_step) {
                              world_.loop.post([this] { remove_old(); });
                          }
                      });
}

void Ticks::anonymise() {
    const auto before = [now = world_.clock.wall()](std::optional<std::chrono::days> age) {
        return age ? std::optional<WallTime>(now - *age) : std::nullopt;
    };
    world_.store.post(ports::Anonymise{.messages_before = before(settings_.messages_anonymise),
                                       .inbox_before = before(settings_.inbox_anonymise),
                                       .limit = rows_a_step},
                      [this](Result<std::size_t> looked_at) {
                          if (looked_at && *looked_at == rows_a_step) {
                              world_.loop.post([this] { anonymise(); });
                          }
                      });
}

void Ticks::release_incomplete() {
    world_.store.post(ports::ReleaseIncomplete{
        .before = world_.clock.wall() - settings_.incomplete_after, .limit = rows_a_step});
}

SteadyTime Ticks::note_signals() {
    ports::NoteSignals signals;
    for (const ports::LineView& line : world_.rack.lines()) {
        signals.lines.push_back({.line = line.name, .dbm = line.signal_dbm});
    }
    world_.rack_store.post(std::move(signals));
    return next_minute(world_.clock);
}

}  // namespace smsrack::host
