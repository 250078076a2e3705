/// Lets the engine forget messages that ended long ago, so that their refs are free again as they are on
/// the boxes.
///
/// Time:    a round a minute; more of them while there is much to forget.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"

namespace smsrack::cluster {

class Forgetter final : public Task {
public:
    using Task::Task;

private:
    void begin() override;

    ports::Seat of_ = {};
    SteadyTime next_ = {};
};

}  // namespace smsrack::cluster
