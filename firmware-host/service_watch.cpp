#include "firmware-host/service_watch.hpp"

#include "db/engine/disk_room.hpp"
#include "firmware-host/service_settings.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <utility>

namespace smsrack::host {
namespace {

using namespace std::chrono_literals;

constexpr auto health_period = 10s;  // where no watchdog says how often
constexpr auto box_period = 2s;      // at what is wrong; a store that can't write is tried as often
// Where the configuration is broken: its file has to be corrected.
constexpr auto begin_again_after = 60s;
// A disk that fails is noticed within, if nothing else is written.
constexpr auto idle_write_period = 30s;

/// A rack that stays down has no threads.
std::vector<const Worker*> workers_of(const OpenStore& store, const Rack& rack,
                                      const FleetSide* fleet) {
    auto workers = store->reads_only() ? std::vector<const Worker*>() : rack.workers();
    workers.push_back(&store.writer());
    if (fleet != nullptr) {
        workers.push_back(&fleet->worker());
    }
    return workers;
}

}  // namespace

ServiceWatch::ServiceWatch(Run& run, OpenStore& store, Rack& rack, ServiceUpkeep& upkeep,
                           const FleetSide* fleet, SteadyTime from)
    : run_(run),
      store_(store),
      rack_(rack),
      upkeep_(upkeep),
      fleet_(fleet),
      health_(
          workers_of(store, rack, fleet), [&rack] { return rack.starves_since(); }, run.log),
      availability_(run.settings.queue.capacity, run.stats, from) {
    if (!store->reads_only()) {
        watch_ports();
        ticks_.emplace(tick_settings(run.settings), TickWorld{.loop = run.loop,
                                                              .store = *store,
                                                              .rack_store = *store,
                                                              .rack = rack.view(),
                                                              .clock = run.clock});
    }
    const auto every = [this](std::chrono::milliseconds period, std::function<void()> look) {
        watches_.push_back(run_.loop.every(period, std::move(look)));
    };
    every(run.systemd.watchdog_period().value_or(health_period), [this] { feed(); });
    every(box_period, [this] { look(); });
    every(LimitedLog::window, [this] { run_.log.say_left_out(); });
    every(MemoryAtRest::look_period, [this] { memory_.look(); });
}

/// Wakes a line when its port may have appeared, so that it does not wait for its next retry.
void ServiceWatch::watch_ports() {
    auto watch = serial::PortWatch::make(ports_of(run_.settings));
    if (!watch) {
        run_.log.warn("no_hot_plug", {{"error", watch.error().context}});
        return;
    }
    ports_ = *std::move(watch);
    watches_.push_back(run_.loop.on_readable(ports_->fd(), [this] {
        for (const std::size_t line : ports_->changed()) {
            rack_.port_changed(line);
        }
    }));
}

/// Looked at without systemd too: the log names the late thread.
void ServiceWatch::feed() {
    if (health_.check(run_.clock.steady())) {
        run_.systemd.alive();
    }
}

std::vector<ports::Condition> ServiceWatch::conditions() const {
    std::vector<ports::Condition> conditions = health_.late();
    const std::string& folder = run_.settings.service.state_dir;
    const auto room = db::disk_room(folder);
    if (auto disk = room ? ports::judge_disk(*room, folder) : std::nullopt) {
        conditions.push_back(*std::move(disk));
    }
    if (!store_->damaged().empty()) {
        const std::string file = store_->damaged().string();
        conditions.push_back(
            {.kind = ports::ConditionKind::database_set_aside,
             .subject = "database",
             .text =
                 fmt::format("the database was damaged and is now {}; a new one was created", file),
             .advice = fmt::format("`smsrack db check {}` says what is damaged; messages in it are "
                                   "not sent. This stays until the service is restarted",
                                   file)});
    }
    if (!run_.configuration.warnings.empty()) {
        conditions.push_back(condition_of(run_.configuration.warnings, run_.config_file));
    }
    if (fleet_ != nullptr) {
        std::ranges::move(fleet_->conditions(), std::back_inserter(conditions));
    }
    return conditions;
}

/// Notices what begins and ends, also where no client asks.
void ServiceWatch::look() {
    const SteadyTime now = run_.clock.steady();
    if (store_->reads_only()) {
        look_for_room();
    } else if (store_->trouble() || now - looked_after_ >= idle_write_period) {
        looked_after_ = now;
        store_->look_after();
    }
    look_at_availability(now);
}

/// A run that only reads ends when the disk can be written: the next one begins as after a start.
void ServiceWatch::look_for_room() {
    if (run_.clock.steady() < try_disk_at_ || std::exchange(tries_disk_, true)) {
        return;
    }
    store_.readers().post([this, &loop = run_.loop, folder = run_.settings.service.state_dir] {
        const bool works = db::try_disk(folder).has_value();
        loop.post([this, works] {
            tries_disk_ = false;
            if (works) {
                run_.log.info("store_can_write");
                upkeep_.begin_anew([this](const Result<ports::ReloadReport>& report) {
                    if (!report) {
                        try_disk_at_ = run_.clock.steady() + begin_again_after;
                    }
                });
            }
        });
    });
}

}  // namespace smsrack::host
