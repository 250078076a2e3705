/// Compares what is firm here with the engine, after the box has entered: what others were given
/// meanwhile is lent before the box may begin again.
///
/// What was begun here cannot be lent: its next attempt is given up. While an attempt is in flight, the
/// box waits for its outcome before it counts as seated.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"

#include <vector>

namespace smsrack::cluster {

class FirmCheck final : public Task {
public:
    using Task::Task;

private:
    [[nodiscard]] bool may_run() const override {
        return seat_.state() == SeatState::comparing && seat_.seat();
    }
    void begin() override;
    void look(MessageId after);
    void compare(const std::vector<ports::FleetRow>& rows);
    void find(std::vector<MessageId> doubtful, std::vector<MessageId> known, MessageId after);
    void confirm(std::vector<MessageId> known, std::vector<MessageId> lost, MessageId after);
    void lend(const std::vector<MessageId>& lost, MessageId after);
    void part_with(const std::vector<MessageId>& lent, std::vector<MessageId> begun,
                   MessageId after);
    void give_up_begun(std::vector<MessageId> begun, MessageId after);

    ports::Seat of_ = {};  // this round's
};

}  // namespace smsrack::cluster
