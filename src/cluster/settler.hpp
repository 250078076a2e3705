/// Tells the engine, and the boxes that accepted them, how messages ended here.
///
/// What was not begun here is settled first, and told only where the engine agrees: another box may have
/// it by now. The letter of a begun one is sent before the engine counts it as ended. The row says
/// `settled` after all of it: a crash between makes a letter come twice, which changes nothing.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"

#include <vector>

namespace smsrack::cluster {

class Settler final : public Task {
public:
    using Task::Task;

private:
    using Rows = std::vector<ports::FleetRow>;

    [[nodiscard]] bool may_run() const override { return seat_.is_seated() || seat_.has_marked(); }
    void begin() override;
    void look(MessageId after);
    void settle_unbegun(Rows rows);
    void write(Rows rows);
    void settle_begun(Rows rows);
    void settle(const Rows& rows, bool begun,
                std::move_only_function<void(const std::vector<MessageId>& ended)> then);
    void note();

    ports::Seat of_ = {};
    std::vector<MessageId> looked_at_ = {};  // of this round
};

/// Ends, as expired, messages of this box that wait in the engine or on a box that has not begun them;
/// and lets the rows of others go that are over.
class Expirer final : public Task {
public:
    using Task::Task;

private:
    void begin() override;
    void look(MessageId after);
    void let_go(std::vector<MessageId> guests, std::vector<MessageId> own, MessageId next);
    void settle(const std::vector<MessageId>& own, MessageId next);
    void end_here(std::vector<MessageId> ended, MessageId next);

    ports::Seat of_ = {};
};

/// Asks where messages of this box are that are away, some with each beat: an end whose letter was
/// lost is found so.
class Sweeper final : public Task {
public:
    using Task::Task;

private:
    void begin() override;
    void find(const std::vector<ports::FleetRow>& rows);
    void end_here(std::vector<ports::Whereabouts> ended);

    ports::Seat of_ = {};
    MessageId after_ = {};  // where the next round begins
};

}  // namespace smsrack::cluster
