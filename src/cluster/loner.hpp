/// Queues messages of this box that no engine can have, while none answers: those of alone_levels.
///
/// As many as the box sends in ahead_s: the others still go to the fleet when the engine is back. What the engine may have
/// waits for it. A message of a trigger does so too: its pair is claimed there.
/// Threads: the desk's.
#pragma once

#include "src/cluster/room.hpp"
#include "src/cluster/task.hpp"

#include <functional>
#include <vector>

namespace smsrack::cluster {

class Loner final : public Task {
public:
    /// `groups`: of this box, as of now.
    Loner(const FleetWorld& world, SeatKeeper& seat,
          std::function<std::vector<GroupPace>()> groups);

private:
    [[nodiscard]] bool may_run() const override;
    void begin() override;
    void choose(const ports::LonePage& page);

    std::function<std::vector<GroupPace>()> groups_;
    MessageId after_ = {};        // where the next page begins
    SteadyTime from_first_ = {};  // when it begins with the first row again
};

}  // namespace smsrack::cluster
