/// A message on its way, as the writer changes it: its row without the body, and the rows of its
/// segments.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/sms/event.hpp"
#include "src/sms/message.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::db {

/// Bits of messages.flags. They are stored: never change one.
inline constexpr std::uint8_t flag_report = 1;     ///< a status report is asked for
inline constexpr std::uint8_t flag_octets = 2;     ///< the body is octets, not text
inline constexpr std::uint8_t flag_scheduled = 4;  ///< its first state was scheduled
inline constexpr std::uint8_t flag_sticky = 8;     ///< by the SIM that its recipient knows
/// It is scheduled until its siblings are there.
inline constexpr std::uint8_t flag_waits_for_parts = 16;
/// Boxes of a fleet share it: it has a row in fleet_messages, unless it is scheduled.
inline constexpr std::uint8_t flag_shared = 32;

/// The state that a message with these flags begins with.
[[nodiscard]] constexpr MessageState first_state(std::uint8_t flags) {
    return (flags & flag_scheduled) != 0 ? MessageState::scheduled
           : (flags & flag_shared) != 0  ? MessageState::elsewhere
                                         : MessageState::queued;
}

struct SegmentRecord {
    std::uint8_t index = 0;
    MessageState state = MessageState::queued;
    AttemptId attempt = {};  ///< the newest
    std::optional<std::uint8_t> tp_mr = {};
    std::optional<std::uint8_t> tp_status = {};
    std::optional<WallTime> reported_at = {};
    std::optional<WallTime> report_scts = {};  ///< of the report: another one of the same submit
                                               ///< has it too
    std::optional<WallTime> discharge = {};
};

struct MessageRecord {
    MessageId id = {};
    MessageId origin = {};  ///< of another box's message: its id in the fleet
    std::string to = {};
    MessageState state = MessageState::queued;
    Level level = 0;
    GroupId group = {};
    BatchId batch = {};
    ports::TopicId topic = {};  ///< of the pair that it was made for; 0: none
    ClientId client = {};
    std::optional<OwnerId> owner = {};
    std::string note = {};
    PartSetId part_set = {};  ///< 0: it is no part of a longer message
    std::uint8_t segment_count = 1;
    std::uint8_t counted_segments = 1;  ///< as the row has them, and the ledger's work
    std::uint8_t flags = 0;
    bool waiting = false;  ///< expires_at counts
    WallTime updated_at = {};
    std::optional<WallTime> due_at = {};
    std::uint16_t attempts = 0;
    std::uint16_t failures = 0;
    std::optional<std::uint16_t> concat_ref = {};
    SimId sim = {};
    bool in_hand = false;
    bool partial = false;
    Cause cause = {};
    std::string detail = {};
    std::string modem = {};
    EventSeq last_event = {};
    AttemptId last_attempt = {};
    std::vector<SegmentRecord> segments = {};  ///< empty before the first attempt
};

/// What an event row says in addition to the state.
struct Change {
    WallTime at;
    std::string_view modem = {};
    std::uint8_t segment = 0;
    std::uint16_t attempt = 0;
    Cause cause = {};
    std::string_view detail = {};
    bool is_told_anyhow = false;     ///< also where the state stays as it was
    bool is_of_another_box = false;  ///< that box did it: it is no work of this one
};

/// nullopt if there is no such message.
[[nodiscard]] std::optional<MessageRecord> load_message(Connection& db, MessageId id);

/// Applies `event` to a segment; false: message_rules has no such row, nothing changed.
bool apply_event(SegmentRecord& segment, MessageEvent event);

/// The state that follows from the segments (at least one): a message that has begun is never
/// queued again.
[[nodiscard]] MessageState state_of(std::span<const SegmentRecord> segments);

/// Sets `state`, with one event where it is another one or is reported anyhow, and writes the rows of message and
/// segments.
void save_message(Writer& writer, MessageRecord& message, MessageState state, const Change& change);

/// The attempts of this message no longer wait for anything: their segments continued without them.
void settle_attempts(Connection& db, const MessageRecord& message);

}  // namespace smsrack::db
