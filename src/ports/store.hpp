/// The durable truth: messages, their segments and attempts, the inbox, the event log.
///
/// db/sqlite_store implements it.
/// Threads: every call from any thread; see CommandPort and QuestionPort.
/// Errors:  storage if the disk is full or failing.
#pragma once

#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/question.hpp"
#include "src/ports/receive_commands.hpp"
#include "src/ports/send_commands.hpp"
#include "src/ports/sim_commands.hpp"
#include "src/ports/store_reader.hpp"
#include "src/ports/upkeep_commands.hpp"
#include "src/sms/event.hpp"
#include "src/sms/level.hpp"
#include "src/sms/outcome.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace smsrack::ports {

/// Notified by the store after each commit, on the writing thread; hands over and returns at once.
class StoreListener : public Interface {
public:
    /// In order of seq, each once. `received`: the rows of those that are message.received.
    virtual void committed(std::span<const Event> events, std::span<const InboxRow> received) = 0;

    /// Messages of this group and level were queued (or became queued again).
    virtual void work_waits(GroupId group, Level level) = 0;

    /// A message that comes to this group now would probably be begun at once.
    [[nodiscard]] virtual bool begins_at_once(GroupId /*group*/) { return false; }
    /// Where it would be: the next transaction keeps this message as queued, unless the disk refuses it, and waits a
    /// little for its first attempt. Its id is no other message's, whatever becomes of it.
    virtual void about_to_queue(const OutMessage& /*message*/) {}

    /// A pause began or ended: all that hold now. A listener that holds no messages ignores it.
    virtual void pauses_changed(const std::vector<Pause>& /*pauses*/) {}
};

using LevelCounts = std::array<std::int64_t, level_count>;

/// Takes the commands of send_commands.hpp, receive_commands.hpp, sim_commands.hpp and
/// upkeep_commands.hpp.
class Store
    : public CommandPort<
          Accept, BeginAttempt, EndAttempt, CancelMessage, ReplaceMessage, FinishMessage,
          ResendSegment, PutBack, RestartMessage, TakeDue, ExpireOverdue, NoteAttempt, KeepInbound,
          KeepReport, ForgetHeld, ForgetHeldElsewhere, ReleaseIncomplete, IdentifySim, ReadQuota,
          BeginPinTry, EndPinTry, PairSlot, MoveTimes, Anonymise, KeepEvent, RemoveOld>,
      public QuestionPort<StoreReader> {
public:
    /// The row of a group; the same name gives the same id for ever. Waits for the commit: at start
    /// only.
    [[nodiscard]] virtual Result<GroupId> group_id(const std::string& name) = 0;

    /// What the modem answered to this attempt, whose EndAttempt is still on its way here: the next
    /// process finds it if this one is killed first. Runs on the caller's thread; does not wait for
    /// the disk, and does not outlive a loss of power.
    virtual void note_answer(AttemptId attempt, const SubmitOutcome& outcome) = 0;

    /// As of the last commit.
    [[nodiscard]] virtual StateCounts counts() const = 0;

    /// Queued rows by level, as of the last commit.
    [[nodiscard]] virtual LevelCounts waiting() const = 0;

    /// Segments of the messages of this group that are queued or sending, by level, as of the last
    /// commit: the work ahead of a message that comes now. Paused and cancelled batches do not
    /// count. Kept incrementally, no scan.
    [[nodiscard]] virtual LevelCounts work(GroupId group) const = 0;
};

}  // namespace smsrack::ports
