/// What this box does when another box of its fleet orders it to hand over to another program.
///
/// It keeps on the disk what it has begun: <state_dir>/cluster/upgrade.json.
/// Threads: open() and close() by the main thread, which is the loop's, before the desk's begins and after it has ended; side() by
///          the desk's, which may wait for the disk.
#pragma once

#include "firmware-host/run.hpp"
#include "src/cluster/upgrader.hpp"
#include "src/ports/upkeep.hpp"

#include <functional>
#include <memory>
#include <string>

namespace smsrack::host {

class FleetUpgrade {
public:
    /// `run` outlives the object.
    explicit FleetUpgrade(Run& run) : run_(run) {}

    /// `upkeep` carries out the orders; it outlives close().
    void open(ports::Upkeep& upkeep) { upkeep_ = std::make_shared<ports::Upkeep*>(&upkeep); }
    void close() { upkeep_.reset(); }

    /// The object outlives it.
    [[nodiscard]] cluster::UpgradeSide side();

private:
    [[nodiscard]] std::string file() const;
    [[nodiscard]] bool note(const std::string& form) const;
    void carry_out(const std::string& by, ports::UpgradeOrder order,
                   std::function<void(const Error&)> refused) const;

    Run& run_;
    std::shared_ptr<ports::Upkeep*> upkeep_ = {};  // a job of the loop that comes later finds none
};

}  // namespace smsrack::host
