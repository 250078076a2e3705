/// Puts what this box has accepted into the engine.
///
/// The row says `away` before the command leaves: so a message of which the box does not know whether
/// the engine has it is never begun as one that the engine can't have. It is put again by its id until
/// the engine answers.
/// Where an engine has forgotten something, it puts back what this box has of it, before it puts anything new.
/// Threads: the desk's.
#pragma once

#include "src/cluster/followers.hpp"
#include "src/cluster/task.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::cluster {

/// What a rule of the fleet says against a message that was accepted while the engine did not answer.
using OnConflict = std::function<void(MessageId message, const ports::PutAnswer& answer)>;

class Putter final : public Task {
public:
    /// `has_room`: this box holds what it puts. `conflict` is notified on the desk's thread. `taken`: this
    /// box holds some now; `some_wait`: some wait in the engine for the box with their SIM, which may be this one. `followers` outlive the object.
    Putter(const FleetWorld& world, SeatKeeper& seat, std::function<bool()> has_room,
           OnConflict conflict, Followers& followers, std::function<void()> taken,
           std::function<void()> some_wait);

private:
    using Refused = std::vector<std::pair<MessageId, ports::PutAnswer>>;
    struct Found {
        ports::FleetRow row = {};
        NewMessage message = {};
        ports::SharedPair pair = {};
        std::string sim = {};  // by which it shall go; empty: any
    };

    [[nodiscard]] bool may_run() const override {
        return seat_.is_seated() || seat_.is_returning();
    }
    void begin() override;
    void mark(std::vector<Found> found);
    void mark_firm(std::vector<Found> found);
    [[nodiscard]] ports::SharedChecks checks_of(const Found& one) const;
    void put(const std::vector<Found>& found);
    void note(const std::vector<ports::PutMessage>& asked, const ports::PutAnswers& answers);
    void note_kept(std::vector<MessageId> messages, FleetStage stage, bool two_disks,
                   std::function<void()> then);
    void refuse(Refused refused);
    void end_here(MessageId id, const ports::PutAnswer& answer, Refused rest, bool may_lend);
    void lend(MessageId id, const ports::PutAnswer& answer, Refused rest);
    void leave(MessageId id, Refused rest);
    void finish(const Result<>& done);

    std::function<bool()> has_room_;
    OnConflict conflict_;
    Followers& followers_;
    std::function<void()> taken_;
    std::function<void()> some_wait_;
    ports::Seat of_ = {};
    bool returns_ = false;  // this round
};

}  // namespace smsrack::cluster
