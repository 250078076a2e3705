/// Takes waiting messages for this box, and makes firm what it holds.
///
/// Held is on this box's disk before it is firm, and firm in the engine before it is queued here: so another box
/// gets it if this one dies before, and none does behind.
/// Threads: the desk's.
#pragma once

#include "src/cluster/followers.hpp"
#include "src/cluster/room.hpp"
#include "src/cluster/task.hpp"

#include <chrono>
#include <functional>
#include <vector>

namespace smsrack::cluster {

class Taker final : public Task {
public:
    /// `groups`: of this box, as of now. `taken`: some are held now. `followers` outlive the object.
    Taker(const FleetWorld& world, SeatKeeper& seat, std::function<std::vector<GroupPace>()> groups,
          std::function<void()> taken, Followers& followers);

    /// Some wait in the engine, whatever the last beat said.
    void some_wait() {
        some_wait_ = true;
        wake();
    }

private:
    void begin() override;
    void keep(std::vector<ports::SharedMessage> messages);
    void note_sims(const std::vector<ports::SharedMessage>& messages);
    void keep_own(std::vector<MessageId> own, std::vector<MessageId> begun);
    void find_begun(std::vector<MessageId> own, std::vector<MessageId> begun);
    void firm(std::vector<MessageId> begun);

    std::function<std::vector<GroupPace>()> groups_;
    std::function<void()> taken_;
    Followers& followers_;
    bool some_wait_ = false;
    ports::Seat of_ = {};
};

/// Time:    what clients hand in one after the other is made firm some at a time, so that none of them waits behind a commit for the
///          one before.
class Firmer final : public Task {
public:
    /// After one within `stream_within`, those of the next `gather_for` are made firm together.
    static constexpr std::chrono::milliseconds stream_within{50};
    static constexpr std::chrono::milliseconds gather_for{20};

    using Task::Task;

    /// Some are held now that clients have handed in.
    void handed_in();

private:
    [[nodiscard]] bool may_run() const override { return seat_.is_seated() && seat_.takes_work(); }
    void begin() override;
    void ask(const std::vector<ports::FleetRow>& rows);
    void queue(std::vector<MessageId> firm, std::vector<MessageId> lost);
    void part_with(std::vector<MessageId> lost);

    ports::Seat of_ = {};
    bool is_full_ = false;          // this round: there may be more
    SteadyTime handed_in_at_ = {};  // the last one
};

}  // namespace smsrack::cluster
