/// What the service looks at again and again: its threads, the disk, the memory that it keeps, old
/// rows, new ports, and whether it would accept a message.
///
/// Threads: the loop thread; conditions() by the readers of the store too.
#pragma once

#include "drivers/serial/port_watch.hpp"
#include "firmware-host/health.hpp"
#include "firmware-host/open_store.hpp"
#include "firmware-host/rack.hpp"
#include "firmware-host/run.hpp"
#include "firmware-host/service_upkeep.hpp"
#include "firmware-host/system/memory_at_rest.hpp"
#include "firmware-host/system/ticks.hpp"
#include "src/base/clock.hpp"
#include "src/dispatch/scale/availability.hpp"
#include "src/ports/condition.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace smsrack::host {

class ServiceWatch {
public:
    /// Counts the availability from `from` on. All outlive the object. `fleet`: null where this box is in none.
    ServiceWatch(Run& run, OpenStore& store, Rack& rack, ServiceUpkeep& upkeep,
                 const FleetSide* fleet, SteadyTime from);

    /// What is wrong with the box, and the rack does not see by itself.
    [[nodiscard]] std::vector<ports::Condition> conditions() const;
    /// Counts the availability up to `now`.
    void look_at_availability(SteadyTime now) { availability_.look(rack_.view().status(), now); }
    /// No timer runs any more; conditions() can still be asked for.
    void stop() {
        watches_.clear();
        ticks_.reset();
    }

private:
    void watch_ports();
    void feed();
    void look();
    void look_for_room();

    Run& run_;
    OpenStore& store_;
    Rack& rack_;
    ServiceUpkeep& upkeep_;
    const FleetSide* const fleet_;
    Health health_;
    dispatch::Availability availability_;
    MemoryAtRest memory_{this_process()};
    std::unique_ptr<serial::PortWatch> ports_ = {};  // null: the lines look by themselves
    std::optional<Ticks> ticks_ = {};
    SteadyTime looked_after_ = {};  // the store
    bool tries_disk_ = false;
    SteadyTime try_disk_at_ = {};
    std::vector<net::LoopWatchPtr> watches_ = {};
};

}  // namespace smsrack::host
