/// Gives back what this box has not begun, while it drains.
///
/// What is firm stops being queued here first; then the engine gets it back. What was begun ends here.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"

#include <vector>

namespace smsrack::cluster {

class Giver final : public Task {
public:
    using Task::Task;

private:
    [[nodiscard]] bool may_run() const override { return seat_.is_seated() && !seat_.takes_work(); }
    void begin() override;
    void lend(MessageId after);
    void give();
    void part_with(const std::vector<MessageId>& given);

    ports::Seat of_ = {};
};

}  // namespace smsrack::cluster
