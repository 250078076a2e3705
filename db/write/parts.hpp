/// Parts of longer messages that their clients have cut themselves.
///
/// A part waits, scheduled, until all of its set are there, or for `parts_wait` after the first one.
/// Then they are queued one after the other in their order: the next one when the one before has
/// left the queue and the lines. So all go by one SIM, unless that cannot send for a minute, and with
/// one reference, which is chosen as for any long message.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "db/read/message_record.hpp"
#include "src/ports/send_commands.hpp"

#include <chrono>

namespace smsrack::db {

/// How long the first part waits for the others: a client hands in all parts within seconds.
inline constexpr std::chrono::seconds parts_wait{60};

struct PartSet {
    PartSetId id = {};
    GroupId group = {};  ///< of its first part, and so of all: one SIM must be able to send them
    WallTime begun_at = {};    ///< when the first part came
    bool is_complete = false;  ///< with the part that joins now
};

/// The set that takes this part, or a new one: a set takes each number once.
[[nodiscard]] PartSet join_part_set(Writer& writer, const NewMessage& part, ClientId client,
                                    GroupId group);
/// The part as it is stored: it waits for its siblings, unless its client gave a time.
[[nodiscard]] NewMessage held_part(const NewMessage& part, const PartSet& set);
/// After its row was written. The last part lets all of them go.
void add_part(Writer& writer, MessageId id, const NewMessage& part, const PartSet& set);

/// Its time has come: all of its set that are there may go.
void part_due(Writer& writer, const MessageRecord& part, WallTime now);
/// After its state was saved. The next part of its set is queued where this one has left.
void follow_part(Writer& writer, const MessageRecord& part, WallTime at);
/// At the start: an earlier release has sent parts, and queued none after them.
void wake_parts(Writer& writer, WallTime now);
/// An attempt was begun: the others go with this reference.
void note_begun(Connection& db, const MessageRecord& part, const ports::BeginAttempt& start);
/// The network took it from this SIM, or may have: the others go by this SIM.
void keep_sim(Connection& db, const MessageRecord& part, SimId sim);
/// Those that nothing else closed: all of their parts have ended, or wait for a time of their own.
void close_late_part_sets(Writer& writer, std::size_t limit);
/// With its last message.
void remove_part_set(Connection& db, PartSetId set);
/// Those whose messages an earlier release has removed. `oldest`: of all messages; a set has a
/// smaller number than its messages.
void remove_orphaned_part_sets(Connection& db, MessageId oldest, std::size_t limit);
void move_part_sets(Connection& db, const ClockMove& move);

}  // namespace smsrack::db
