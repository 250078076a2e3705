/// Puts what this box has accepted into the engine.
///
/// The row says `away` before the command leaves: so a message of which the box does not know whether
/// the engine has it is never begun as one that the engine can't have. It is put again by its id until
/// the engine answers.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"

#include <functional>
#include <vector>

namespace smsrack::cluster {

/// What a rule of the fleet says against a message that was accepted while the engine did not answer.
using OnConflict = std::function<void(MessageId message, const ports::PutAnswer& answer)>;

class Putter final : public Task {
public:
    /// `has_room`: this box holds what it puts. `conflict` is notified on the desk's thread.
    Putter(const FleetWorld& world, SeatKeeper& seat, std::function<bool()> has_room,
           OnConflict conflict);

private:
    struct Found {
        ports::FleetRow row = {};
        NewMessage message = {};
    };

    void begin() override;
    void mark(std::vector<Found> found);
    void put(const std::vector<Found>& found);
    void note(const std::vector<ports::PutMessage>& asked, const ports::PutAnswers& answers);
    void note_kept(std::vector<MessageId> messages, FleetStage stage, bool two_disks,
                   std::function<void()> then);
    void refuse(std::vector<std::pair<MessageId, ports::PutAnswer>> refused);
    void finish(const Result<>& done);

    std::function<bool()> has_room_;
    OnConflict conflict_;
    ports::Seat of_ = {};
};

}  // namespace smsrack::cluster
