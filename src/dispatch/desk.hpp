/// The messages in memory: where each of them is, how it comes here and how it leaves.
///
/// A message is in one place: in its group's queues, with a codec worker, on a line, or among those
/// that have begun and wait for their SIM. The rest of the backlog waits in the store. What concerns
/// several of the parts below is done here.
/// Time:    the injected Clock for what is written; steady time is the caller's.
/// Threads: the dispatch thread.
/// Errors:  what a full disk refuses insists in the store, or the next sweep finds it.
#pragma once

#include "src/dispatch/begun.hpp"
#include "src/dispatch/clock_moves.hpp"
#include "src/dispatch/dispatch_world.hpp"
#include "src/dispatch/due.hpp"
#include "src/dispatch/group.hpp"
#include "src/dispatch/holds.hpp"
#include "src/dispatch/window.hpp"

#include <string>

namespace smsrack::dispatch {

class Desk {
public:
    /// `mailbox` outlives the object.
    Desk(const DispatchSettings& settings, const DispatchWorld& world, DispatchBox& mailbox);

    /// Before the first message. Gives the group's index.
    std::uint16_t add_group(GroupId id, std::string name, std::size_t lines);
    /// A message that was in flight in the run before.
    [[nodiscard]] queue::SlotNumber adopt(queue::OutSlot content);

    [[nodiscard]] queue::OutSlot& operator[](queue::SlotNumber slot) { return world_.slots[slot]; }
    [[nodiscard]] const queue::OutSlot& operator[](queue::SlotNumber slot) const {
        return world_.slots[slot];
    }

    // -- from the store
    /// Asks for what each level of the group has room for. Answered by Loaded.
    void refill(std::uint16_t group);
    void loaded(Loaded& mail, SteadyTime now);
    /// It is taken only where it would be the next one of all: else it is read when its turn comes.
    void about_to_queue(OutMessage message, SteadyTime now);
    /// Nothing of the group waits, here or in the store, for its first attempt or for another one.
    [[nodiscard]] bool is_empty(std::uint16_t group) const;
    /// Asks for what is due. Answered by DueTaken, and after that by NextDue.
    void take_due();
    [[nodiscard]] bool wants_retries() const { return !retry_wishes().empty(); }
    void due_taken(DueTaken& mail, SteadyTime now);
    void next_due(const NextDue& mail);
    /// What was due and had no place.
    void load_kept(SteadyTime now);

    // -- here
    /// It waits again, at the place of its age or for its SIM.
    void wait_again(queue::SlotNumber slot, SteadyTime now);
    /// The clock was set. What waits is neither older nor younger by it.
    void move_times(const ClockMove& move, SteadyTime now);

    // -- to the store
    void release(queue::SlotNumber slot);
    /// A message of this group that is given up here is still queued in the store, where the group
    /// was read beyond it.
    void read_again(std::uint16_t group) { window.rewind(group); }
    /// It has ended, or was replaced meanwhile.
    void finished(const Finished& mail);
    /// It keeps its slot until Finished, so no more end at a time than have a place here.
    void finish(queue::SlotNumber slot, MessageEvent event, std::string detail);
    /// All of it is sent again, from `due_at` on.
    void restart(queue::SlotNumber slot, std::string detail, WallTime due_at);
    /// True where the message's time was over, and it is finished.
    [[nodiscard]] bool ends_here(queue::SlotNumber slot);
    /// It must wait: in the store it is queued, or between two attempts, and due again when it may
    /// go.
    void put_back(queue::SlotNumber slot);
    /// No SIM takes it before that time.
    void set_aside(queue::SlotNumber slot, WallTime until);
    /// All that waits goes back, so that its slots are for the other groups.
    void empty(std::uint16_t group);
    /// What is encoded and must wait after all, where something changed. What a codec worker has is
    /// looked at when it comes back.
    void put_back_held(std::uint16_t group);

    // -- the parts
    Groups groups;
    Window window;
    Holds holds;
    Begun begun;
    ClockMoves moves;
    Due due;

private:
    /// Only where a slot is free.
    void load(OutMessage message, SteadyTime now);
    void put_off(MessageId message, WallTime until);
    [[nodiscard]] std::vector<ports::DueWishes::Retries> retry_wishes() const;

    const AgeingRules ageing_;
    DispatchWorld world_;
    DispatchBox& mailbox_;
};

}  // namespace smsrack::dispatch
