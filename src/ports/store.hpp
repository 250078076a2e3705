/// The durable truth: messages, their segments and attempts, the inbox, the event log.
///
/// db/sqlite_store implements it.
/// Threads: every call from any thread. Writes are queued for the one writing thread and committed
/// in groups; a completion
///          (`Done`) runs on that thread after the commit (or after it failed) and only hands over.
///          Within one sender the writes keep their order. read() runs its job on a pool thread
///          with one read connection.
/// Errors:  storage where the disk is full or failing: then nothing of that call was kept.
#pragma once

#include "src/base/clock_move.hpp"
#include "src/base/result.hpp"
#include "src/ports/notes.hpp"
#include "src/ports/pin.hpp"
#include "src/ports/slot.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/event.hpp"
#include "src/sms/inbound.hpp"
#include "src/sms/message.hpp"
#include "src/sms/outcome.hpp"
#include "src/sms/sim_usage.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace smsrack::ports {

template <typename T>
using Done = std::move_only_function<void(Result<T>)>;

struct InboxRow;

/// Told by the store after each commit, on the writing thread; hands over and returns at once.
class StoreListener {
public:
    StoreListener() = default;
    StoreListener(const StoreListener&) = delete;
    StoreListener& operator=(const StoreListener&) = delete;
    virtual ~StoreListener() = default;

    /// In order of seq, each once. `received`: the rows of those that are message.received.
    virtual void committed(std::span<const Event> events, std::span<const InboxRow> received) = 0;

    /// Messages of this group and level were queued (or became queued again).
    virtual void work_waits(GroupId group, Level level) = 0;

    /// A pause began or ended: all that hold now. Who holds no messages need not know.
    virtual void pauses_changed(const std::vector<Pause>& /*pauses*/) {}
};

/// What 202 is answered with.
struct Accepted {
    MessageId id;
    MessageState state = MessageState::queued;
    std::uint8_t segments = 1;
    bool repeated =
        false;  ///< the same ref and request came before: this is the first answer again
    std::optional<WallTime> expected_at =
        {};  ///< when the network will probably have it; set by intake, where that can be told
};

/// What a SIM may send, for the transaction that begins an attempt.
struct QuotaCheck {
    QuotaLimits limits = {};
    CalendarSpan span = {};       ///< of the attempt's time, in the SIM's zone
    std::uint64_t recipient = 0;  ///< hash of the number
};

/// What a SIM has sent of late.
struct UsedQuota {
    SimUsage usage = {};
    std::vector<std::uint64_t> recipients = {};  ///< hashes, of the month asked for
};

/// Before a PDU leaves. The first attempt of a message makes its segment rows (all `segments`,
/// queued).
struct AttemptStart {
    MessageId message;
    std::uint8_t segment = 0;  ///< from 0
    std::uint8_t segments = 1;
    std::optional<std::uint16_t> concat_ref = {};
    std::string modem;  ///< name of the line
    SimId sim;
    WallTime at;
    std::optional<QuotaCheck> quota = {};  ///< absent: the SIM has none, and nothing is counted
};

/// What became of it, and what follows: decided by dispatch, applied by the store as one
/// transaction.
struct AttemptEnd {
    AttemptId attempt;
    MessageId message;
    std::uint8_t segment = 0;
    SubmitOutcome outcome;
    MessageEvent event = MessageEvent::accepted;  ///< what happens to the segment; a pair not in
                                                  ///< message_rules changes nothing
    WallTime at;
    std::optional<WallTime> due_at =
        {};  ///< next_attempt_at with not_sent; when to apply the policy with silence
    bool counts_as_failure = false;  ///< towards retry_limit
    bool ends_message = false;  ///< its segments not yet taken are cancelled (permanent failure)
    std::string detail = {};    ///< for the event and the history, one word
};

/// What `end_attempt` made of the message.
struct AttemptApplied {
    MessageState message_state = MessageState::sending;
    bool applied = false;  ///< false: the pair was not in message_rules (an answer that came twice)
};

using LevelCounts = std::array<std::int64_t, level_count>;

/// How much of what is due is to be taken.
struct DueWishes {
    struct Retries {
        GroupId group = {};
        Level level = 0;
        std::size_t limit = 0;
    };
    std::size_t scheduled = 0;          ///< that become queued, at most
    std::vector<Retries> retries = {};  ///< between two attempts
};

class Store {
public:
    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;

    // -- names that rows refer to; the same name gives the same id for ever
    [[nodiscard]] virtual Result<GroupId> group_id(
        const std::string& name) = 0;  ///< waits for the commit: at start only
    virtual void sim_id(const std::string& iccid, const std::string& imsi, Done<SimId> done) = 0;

    /// What the SIM has sent, after all that was asked for before; recipients of that month alone.
    virtual void used_quota(SimId sim, std::int64_t month, Done<UsedQuota> done) = 0;

    // -- out
    /// Errors: ref_conflict, duplicate, queue_full (capacity), storage; overloaded where the message is not
    /// `admitted` and no ref tells that it came before: nothing was kept.
    virtual void accept(NewMessage message, Done<Accepted> done) = 0;

    /// Commits an open attempt, and counts it on its SIM. conflict: the message is cancelled,
    /// expired or gone, or its recipient has opted out (then it is cancelled now), so nothing may be
    /// sent. quota_exhausted: the SIM has sent what it may.
    virtual void begin_attempt(AttemptStart start, Done<AttemptId> done) = 0;

    /// Applies the end of an attempt; also for one that was `unknown` before (late answer, policy).
    /// Status reports that came since it began and found no message are looked at again.
    virtual void end_attempt(AttemptEnd end, Done<AttemptApplied> done) = 0;

    /// What the modem answered to this attempt, whose end is still on its way here: found again by the next process if this
    /// one is killed first. Does not wait for the disk, and does not outlive a loss of power. On the caller's thread.
    virtual void note_answer(AttemptId attempt, const SubmitOutcome& outcome) = 0;

    /// Ends a message that has no attempt in hand: give_up, too_late or cancel, for all segments
    /// not yet taken. conflict: its state does not allow it (cancel: it is already on a line, or
    /// ended). not_found.
    virtual void finish(MessageId message, MessageEvent event, std::string detail, WallTime at,
                        Done<MessageState> done) = 0;

    /// The policy `resend`: the segment that this attempt left in doubt is due again now; those that were
    /// taken stay so. conflict: it is in doubt no longer, so nothing is sent again.
    virtual void resend(MessageId message, AttemptId doubt, WallTime at, Done<void> done) = 0;

    /// A begun message that nobody holds any more is due at `at`, if something of it is still to be sent.
    /// Nobody could repeat this call. So where the disk is full it waits in the store, ahead of all that is
    /// posted later, which is refused until then (storage).
    virtual void put_back(MessageId message, WallTime at) = 0;

    /// All segments queued again, a new concatenation reference, not before `due_at`: a long message
    /// whose SIM did not come back. conflict: it is on a line, or has ended.
    virtual void restart(MessageId message, std::string detail, WallTime due_at, WallTime at,
                         Done<void> done) = 0;

    /// What is due: scheduled messages become queued, of all groups and levels; those between two
    /// attempts are given out and stay sending, the longest due of each wish first. They are the
    /// caller's from now on; after a restart they are due at once.
    virtual void take_due(WallTime now, DueWishes wishes, Done<std::vector<OutMessage>> done) = 0;

    /// Ends, as expired, up to `limit` messages whose time is over and that have no attempt in
    /// hand. Gives how many.
    virtual void expire_overdue(WallTime now, std::size_t limit, Done<std::size_t> done) = 0;

    /// Keeps a note with an attempt, notes_max of them; an attempt that is gone takes none.
    virtual void note_attempt(AttemptId attempt, AttemptNote note) = 0;

    // -- in
    /// Keeps one received segment, unless `rules.judge_segment` says that it was kept before; when its
    /// message is whole, makes the inbox row. The completion may acknowledge it to the modem.
    virtual void keep_inbound(InboundSegment segment, Done<InboundKept> done) = 0;

    /// Keeps a status report and applies it to the segment that `rules.choose_report` picks.
    virtual void keep_report(StatusReport report, Done<ReportKept> done) = 0;

    /// The modem holds nothing at this place of the SIM any more: an equal PDU that is kept from now on
    /// is not the one that was read there before. Keeps its order with keep_inbound() and keep_report().
    /// A full disk: as with put_back.
    virtual void forget_held(SimId sim, HeldPlace place) = 0;
    /// As forget_held() for all places of one memory that are not in `indexes`.
    virtual void forget_held_elsewhere(SimId sim, HeldIn memory,
                                       std::vector<std::uint16_t> indexes) = 0;

    /// Releases incomplete messages whose last segment came before `before`, flagged incomplete.
    /// Gives how many.
    virtual void release_incomplete(WallTime before, std::size_t limit, Done<std::size_t> done) = 0;

    // -- SIMs
    /// May this PIN be entered? True: the try is on disk, so that a value that failed is not tried
    /// again, whatever happens to this process. False: it failed before, or its outcome was never
    /// heard and the card has fewer attempts than then.
    virtual void begin_pin_try(PinTry pin, WallTime at, Done<bool> done) = 0;

    /// What the card said to it. A full disk: as with put_back.
    virtual void end_pin_try(PinTry pin, bool taken) = 0;

    /// What sat in the slot before; what is seen now is kept in its place.
    virtual void pair_slot(SlotSeen seen, Done<SlotKnown> done) = 0;

    // -- the rest
    /// Moves the times of messages that were dated by another clock, so that none expires too early or too
    /// late; a time that a client named is left. Gives how many.
    /// Once for each move, and before any call that is dated by the new clock: a message that was dated
    /// before it and comes to the disk behind it is moved too. A full disk: as with put_back, and it is
    /// answered when it is done.
    virtual void move_times(ClockMove move, Done<std::size_t> done) = 0;

    /// Takes number and text out of up to `limit` rows in a final state that are older than the two
    /// times; nothing: of none. Gives how many were looked at; fewer than `limit`: done for now.
    virtual void anonymise(std::optional<WallTime> messages_before,
                           std::optional<WallTime> inbox_before, std::size_t limit,
                           Done<std::size_t> done) = 0;

    /// An event that is not a message's: modem.state, service.notice.
    virtual void keep_event(Event event) = 0;

    /// Removes up to `limit` rows in a final state older than the two times, and events older than
    /// `messages_before`.
    virtual void remove_old(WallTime messages_before, WallTime inbox_before, std::size_t limit,
                            Done<std::size_t> done) = 0;

    /// Runs `job` with a read connection on a pool thread; it sees everything committed before this
    /// call.
    virtual void read(std::move_only_function<void(StoreReader&)> job) = 0;

    /// As of the last commit.
    [[nodiscard]] virtual StateCounts counts() const = 0;

    /// Queued rows by level, as of the last commit.
    [[nodiscard]] virtual LevelCounts waiting() const = 0;

    /// Segments of the messages of this group that are queued or sending, by level, as of the last
    /// commit: the work that stands before somebody who comes now. Those of paused and cancelled batches do not.
    /// Kept incrementally, no scan.
    [[nodiscard]] virtual LevelCounts work(GroupId group) const = 0;
};

}  // namespace smsrack::ports
