/// What the parts of the dispatcher share: its settings, what they work with, and the mail that
/// store, lines and codec answer with.
#pragma once

#include "src/base/executor.hpp"
#include "src/base/guarded_clock.hpp"
#include "src/base/log.hpp"
#include "src/base/mailbox.hpp"
#include "src/base/random.hpp"
#include "src/codec/send_codec.hpp"
#include "src/dispatch/cooling.hpp"
#include "src/dispatch/retry.hpp"
#include "src/dispatch/scale/flow_meter.hpp"
#include "src/line/line_board.hpp"
#include "src/ports/control_store.hpp"
#include "src/ports/line.hpp"
#include "src/ports/line_gate.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/store.hpp"
#include "src/queue/out_slot.hpp"
#include "src/rules/quiet_hours.hpp"
#include "src/sms/ageing.hpp"
#include "src/stats/stats.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace smsrack::dispatch {

/// Before the store is asked again after it refused.
inline constexpr std::chrono::seconds storage_pause{1};

/// Lines of each group that take only the top levels, so that one of these finds one free.
struct KeptLines {
    std::size_t lines = 0;  ///< of those that are ready; one is always left to all
    Level least = 0;        ///< the level that a message must have been accepted with
};

struct DispatchSettings {
    RetrySettings retry = {};
    /// how long a begun long message waits for its SIM
    std::chrono::milliseconds disconnect{30'000};
    CoolingSettings cooling = {};
    AgeingRules ageing = {};
    KeptLines kept = {};
};

class DispatchAddress;

/// All outlive the dispatcher.
struct DispatchWorld {
    ports::Store& store;
    Executor& codec_pool;
    codec::SendCodec& codec;
    queue::OutSlots& slots;
    DispatchAddress& address;  ///< its own
    const Clock& clock;
    Random& random;
    const ErrorTable& errors;
    stats::Stats& stats;
    FlowMeter& flow;
    line::LineBoard& board;
    Log& log;
    GuardedClock* guard = nullptr;  ///< the clock; null: one that is never set
    /// keeps the operator's gates; null: they are not kept
    ports::RackStore* rack_store = nullptr;
    ports::ControlStore* control = nullptr;    ///< null: nothing is paused or cancelled
    const rules::QuietHours* quiet = nullptr;  ///< null: there are none
};

/// The store has queued messages of this group and level.
struct WorkWaits {
    GroupId group;
    Level level;
};
/// The store is about to keep it as queued: it may be begun now.
struct AboutToQueue {
    OutMessage message;
};
struct Loaded {
    std::uint16_t group;
    Level level;
    std::size_t asked;
    Result<std::vector<OutMessage>> messages;
};
struct DueTaken {
    std::vector<ports::DueWishes::Retries> wished;
    Result<std::vector<OutMessage>> messages;
};
struct NextDue {
    Result<std::optional<WallTime>> at;
};
struct OverdueUncertain {
    Result<std::vector<ports::UncertainAttempt>> attempts;
};
/// What was decided about all of OverdueUncertain is in the store.
struct DoubtsDecided {};
/// Something is due at this time, or earlier than known.
struct DueHint {
    WallTime at;
};
/// The store has ended the message in this slot, or refused to.
struct Finished {
    queue::SlotNumber slot;
    bool was_replaced = false;  ///< it has another content in the store, where it is queued
};
/// A codec worker's work.
struct EncodedOne {
    Turn turn;
    queue::SlotNumber slot;
    std::optional<Error> error;
};
struct Encoded {
    std::uint16_t group;
    std::vector<EncodedOne> messages;
};
struct LineReady {
    ModemId line;
    SimId sim;
};
struct LineLost {
    ModemId line;
};
struct SegmentEnded {
    ModemId line;
    ports::SegmentDone done;
};
struct LateAnswered {
    ports::LateSegment late;
};
struct EarlierAnswered {
    ModemId line;
    SubmitOutcome outcome;
};
/// A sweep found as many expired messages as it may: there are more.
struct SweepOn {};
/// The store has moved the times that were written with a wrong clock, or could not.
struct TimesMoved {
    Result<std::size_t> messages;
};
/// A person, or the scaling controller, wants the line to be given work, or not.
struct GateOrdered {
    ModemId line;
    ports::GateOrder order;
    ports::GateDone done;
};
struct StopGiving {};
/// All pauses that hold now.
struct PausesChanged {
    std::vector<ports::Pause> pauses;
};
/// Batches that are cancelled have more messages than one step may look at.
struct CancelOn {};

using DispatchMail =
    std::variant<WorkWaits, AboutToQueue, Loaded, DueTaken, NextDue, OverdueUncertain,
                 DoubtsDecided, DueHint, Finished, Encoded, LineReady, LineLost, SegmentEnded,
                 LateAnswered, EarlierAnswered, SweepOn, TimesMoved, GateOrdered, StopGiving,
                 PausesChanged, CancelOn>;
using DispatchBox = Mailbox<DispatchMail>;

}  // namespace smsrack::dispatch
