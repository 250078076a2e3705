/// Lets the engine forget messages that ended long ago ([messages] keep_days), so that it does not grow for ever.
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
