/// Store commands on outgoing messages, their segments and their attempts.
///
/// Threads, Errors: as CommandPort.
#pragma once

#include "src/ports/command.hpp"
#include "src/ports/notes.hpp"
#include "src/sms/fleet_stage.hpp"
#include "src/sms/message.hpp"
#include "src/sms/outcome.hpp"
#include "src/sms/sim_usage.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::ports {

/// What 202 is answered with.
struct Accepted {
    MessageId id;
    MessageState state = MessageState::queued;
    std::uint8_t segments = 1;
    /// The same ref and request came before: this is the first answer again.
    bool repeated = false;
    /// When the network will probably have it; set by intake, where that is known.
    std::optional<WallTime> expected_at = {};
    /// Of a message that boxes share; nullopt: it is of this box alone.
    std::optional<Kept> kept = {};
};

/// Keeps a message that a client hands in.
/// Errors: ref_conflict, duplicate, queue_full (capacity, or the disk is behind), storage;
///         overloaded if the message is not `admitted` and no ref says that it came before.
struct Accept {
    static constexpr Lane lane = Lane::intake;
    using Answer = Accepted;
    NewMessage message;
};

/// What a SIM may send, for the transaction that begins an attempt.
struct QuotaCheck {
    QuotaLimits limits = {};
    CalendarSpan span = {};       ///< of the attempt's time, in the SIM's zone
    std::uint64_t recipient = 0;  ///< hash of the number
};

/// Commits an open attempt before its PDU leaves, and counts it on its SIM. The first attempt of a
/// message makes its segment rows (all `segments`, queued).
/// Errors: conflict: the message is cancelled, expired, replaced (`was_replaced`) or gone, or its
///         recipient has opted out (then it is cancelled now), so nothing may be sent. quota_exhausted: the SIM has sent
///         what it may. closed: boxes share the message, and this one may begin none now; it is as it was.
struct BeginAttempt {
    using Answer = AttemptId;
    MessageId message;
    std::uint8_t segment = 0;  ///< from 0
    std::uint8_t segments = 1;
    std::optional<std::uint16_t> concat_ref = {};
    std::string modem;  ///< name of the line
    SimId sim;
    WallTime at;
    /// OutMessage::queued_by of what is sent; 0: not known, and not compared.
    EventSeq queued_by = {};
    std::optional<QuotaCheck> quota = {};  ///< nullopt: the SIM has none, and nothing is counted
};

/// What EndAttempt made of the message.
struct AttemptApplied {
    MessageState message_state = MessageState::sending;
    bool applied = false;  ///< false: the pair was not in message_rules (an answer that came twice)
};

/// Applies the outcome of an attempt and what follows from it, as dispatch decided; also for an
/// attempt that was `unknown` before (late answer, policy). Looks again at status reports that came
/// since the attempt began and found no message.
struct EndAttempt {
    static constexpr Refused refused = Refused::insist;
    using Answer = AttemptApplied;
    AttemptId attempt;
    MessageId message;
    std::uint8_t segment = 0;
    SubmitOutcome outcome;
    /// What happens to the segment; a pair that is not in message_rules changes nothing.
    MessageEvent event = MessageEvent::accepted;
    WallTime at;
    /// With not_sent: next_attempt_at. With silence: when to apply the policy.
    std::optional<WallTime> due_at = {};
    bool counts_as_failure = false;  ///< towards retry_limit
    bool ends_message = false;  ///< its segments not yet taken are cancelled (permanent failure)
    std::string detail = {};    ///< for the event and the history, one word
};

/// Cancels a message by order of a user, for all segments not yet taken.
/// Errors: conflict: it is on a line, was sent, or has ended. not_found.
struct CancelMessage {
    using Answer = MessageState;
    MessageId message;
    WallTime at;
};

/// Gives a message of which nothing was begun another content. Its id, number, group and level stay.
/// What was loaded of it before is outdated: neither begun nor ended any more.
/// Errors: conflict: it was begun, or has ended; or it is queued already, and `not_before` is given;
///         or it was replaced too often. not_found.
struct ReplaceMessage {
    using Answer = Accepted;
    MessageId message;
    MessageBody body;                              ///< of it text or data is taken
    std::uint8_t segments = 1;                     ///< as counted by intake
    std::optional<std::chrono::seconds> ttl = {};  ///< from its `not_before` on, else from `at`
    std::optional<WallTime> not_before = {};
    std::optional<std::string> note = {};
    std::optional<bool> report = {};  ///< asks for status reports or not; nullopt: as it was
    WallTime at;
};

/// Error::detail of the conflict of a message that was replaced since it was loaded: the store has
/// it, queued, with another content.
inline constexpr int was_replaced = 1;

/// Ends a message that has no attempt in flight, as dispatch decided: give_up or too_late, for all
/// segments not yet taken.
/// Errors: conflict: its state does not allow it, or it was replaced (`was_replaced`). not_found.
struct FinishMessage {
    static constexpr Refused refused = Refused::insist;
    using Answer = MessageState;
    MessageId message;
    MessageEvent event = MessageEvent::give_up;
    std::string detail = {};
    WallTime at;
    EventSeq queued_by = {};  ///< as in BeginAttempt
};

/// The policy `resend`: the segment that attempt `doubt` left in doubt is due again now; segments
/// that were taken stay so.
/// Errors: conflict: it is in doubt no longer, so nothing is sent again.
struct ResendSegment {
    using Answer = void;
    MessageId message;
    AttemptId doubt;
    WallTime at;
};

/// Makes a begun message that dispatch no longer holds due at `at`, if something of it is still to
/// be sent.
struct PutBack {
    static constexpr Refused refused = Refused::insist;
    using Answer = void;
    MessageId message;
    WallTime at;
};

/// Queues all segments again with a new concatenation reference, not before `due_at`: for a long
/// message whose SIM did not come back.
/// Errors: conflict: it is on a line, or has ended.
struct RestartMessage {
    static constexpr Refused refused = Refused::insist;
    using Answer = void;
    MessageId message;
    std::string detail = {};
    WallTime due_at;
    WallTime at;
};

/// How many of the due messages to take.
struct DueWishes {
    struct Retries {
        GroupId group = {};
        Level level = 0;
        std::size_t limit = 0;
    };
    std::size_t scheduled = 0;          ///< that become queued, at most
    std::vector<Retries> retries = {};  ///< between two attempts
};

/// Takes what is due. Scheduled messages become queued, of all groups and levels. Messages between
/// two attempts are given out and stay sending, the longest due of each wish first: they are the
/// caller's from now on, and due at once after a restart.
struct TakeDue {
    using Answer = std::vector<OutMessage>;
    WallTime now;
    DueWishes wishes = {};
};

/// Ends, as expired, up to `limit` messages whose time is over and that have no attempt in flight.
/// Answers how many.
struct ExpireOverdue {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = std::size_t;
    WallTime now;
    std::size_t limit = 0;
};

/// Keeps a note with an attempt, notes_max of them; an attempt that is gone takes none.
struct NoteAttempt {
    using Answer = void;
    AttemptId attempt;
    AttemptNote note;
};

}  // namespace smsrack::ports
