/// What other threads hand to the dispatcher.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/line.hpp"
#include "src/ports/line_gate.hpp"
#include "src/ports/store.hpp"
#include "src/queue/slot_pool.hpp"
#include "src/sms/ageing.hpp"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace smsrack::dispatch {

/// The store has queued messages of this group (index) and level.
struct WorkWaits {
    std::uint16_t group;
    Level level;
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
/// Something is due at this time, or earlier than known.
struct DueHint {
    WallTime at;
};
/// A codec worker's work.
struct EncodedOne {
    Turn turn;
    std::uint32_t slot;
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
/// What was decided about all of OverdueUncertain is in the store.
struct DoubtsDecided {};
/// The store has ended the message in this slot.
struct Finished {
    queue::SlotNumber slot;
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
    std::variant<WorkWaits, Loaded, DueTaken, NextDue, OverdueUncertain, DueHint, Encoded,
                 LineReady, LineLost, SegmentEnded, LateAnswered, EarlierAnswered, DoubtsDecided,
                 Finished, SweepOn, TimesMoved, GateOrdered, StopGiving, PausesChanged, CancelOn>;

}  // namespace smsrack::dispatch
