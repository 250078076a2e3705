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

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>

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

    /// When a quota has room for what waits for it, when a message has waited enough for the SIM that is named for
    /// it, or when what was set aside is read again; never: nothing of this waits.
    [[nodiscard]] SteadyTime room_at() const { return std::min(room_at_, aside_at_); }
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
    /// How much longer it waits for the SIM that is named for it, if that cannot send; 0: any SIM may
    /// send it.
    [[nodiscard]] std::chrono::milliseconds wait_for_sim(const queue::OutSlot& slot);
    [[nodiscard]] bool has_enough_encoded(const queue::OutSlot& slot);
    void look_at_named_sims();
    [[nodiscard]] line::MaySendAnswer may_send(ModemId line, queue::SlotNumber slot);
    [[nodiscard]] bool starves(std::uint16_t group, SteadyTime now) const;

    const KeptLines kept_;
    DispatchWorld world_;
    Desk& desk_;
    Lines& lines_;
    DispatchBox& mailbox_;
    HandOver hand_over_;
    Routes routes_;
    // Since when they cannot send, of SIMs that messages wait for; bound: named_sims_max
    std::map<std::pair<std::uint16_t, SimId>, SteadyTime> away_since_;
    SteadyTime room_at_ = never;
    SteadyTime aside_at_ = never;
    bool route_waits_ = false;  // a message waits next to a free line, since its SIM is busy
};

}  // namespace smsrack::dispatch
