/// The way out: messages are encoded ahead, and each free line gets the one that goes first for it.
///
/// A message is bound to a line only when that line is free. Which line may send which message is
/// said by may_send(), which goes first by the queues, who must wait by the desk's parts.
/// Time:    the injected Clock; steady time is the caller's.
/// Threads: the dispatch thread; encoding on the codec's workers, whose work comes back as Encoded.
/// Source:  [EBAS] dispatcher; [SMSEngine] M/M/c discipline.
#pragma once

#include "src/dispatch/desk.hpp"
#include "src/dispatch/dispatch_world.hpp"
#include "src/dispatch/lines.hpp"
#include "src/dispatch/routes.hpp"
#include "src/line/may_send.hpp"

#include <functional>

namespace smsrack::dispatch {

class Giving {
public:
    using HandOver = std::move_only_function<void(ModemId, queue::SlotNumber)>;
    /// All outlive the object. `hand_over`: passes a slot to a line.
    Giving(const KeptLines& kept, const DispatchWorld& world, Desk& desk, Lines& lines,
           DispatchBox& mailbox, HandOver hand_over);

    /// A turn for all groups. `stopping`: lines get nothing more.
    void give_all(SteadyTime now, bool stopping);
    /// A codec worker's work.
    void encoded(const Encoded& work);
    /// A line of the group became ready, or was lost: which ones are kept for the top levels may
    /// change.
    void keep_lines(std::uint16_t group);

    /// When a quota has room for what waits for it, or a part has waited enough for its SIM; never:
    /// nothing does.
    [[nodiscard]] SteadyTime room_at() const { return room_at_; }
    /// Work is ready and a line may take it, but they did not meet in this turn. No good state
    /// lasts so.
    [[nodiscard]] bool starves(SteadyTime now) const;
    /// A message of any level that came now would be given to a line at once.
    [[nodiscard]] bool is_eager(std::uint16_t group, SteadyTime now) const;

private:
    void give(std::uint16_t group, SteadyTime now, bool stopping);
    void give_begun(SteadyTime now);
    void give_encoded(std::uint16_t group, SteadyTime now, bool kept);
    [[nodiscard]] bool any_may_take(std::uint16_t group, SteadyTime now) const;
    void set_aside(std::uint16_t group);
    void encode(std::uint16_t group, SteadyTime now);
    void space_starts(Group& group);
    void hand_over(ModemId line, queue::SlotNumber slot);

    [[nodiscard]] queue::Look look_at(ModemId line, queue::SlotNumber slot, SteadyTime now);
    /// How much longer a part of a client's long message waits for the SIM of those before it; 0:
    /// any SIM may send it.
    [[nodiscard]] std::chrono::milliseconds wait_for_sim(const OutMessage& message) const;
    [[nodiscard]] line::MaySendAnswer may_send(ModemId line, queue::SlotNumber slot) const;
    [[nodiscard]] bool starves(std::uint16_t group, SteadyTime now) const;

    const KeptLines kept_;
    DispatchWorld world_;
    Desk& desk_;
    Lines& lines_;
    DispatchBox& mailbox_;
    HandOver hand_over_;
    Routes routes_;
    const SteadyTime since_;  // when this process began
    SteadyTime room_at_ = never;
    bool route_waits_ = false;  // a message waits next to a free line, since its SIM is busy
};

}  // namespace smsrack::dispatch
