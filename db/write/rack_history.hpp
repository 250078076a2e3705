/// Counts what the rack does in a minute, and writes it into the table `history` when the minute is
/// over.
///
/// A minute is written with the first batch after it; until then it is in memory. So a process that
/// is killed loses at most what was counted since the minute began, and nothing is counted twice.
/// A minute in which nothing happened has no row; once an hour a row says that the rack was running.
/// Unit:    messages; dBm.
/// Time:    the wall clock at each commit. A clock that is set back adds to the rows that are there.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db) from the writes.
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/rack_history.hpp"
#include "src/sms/message_states.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::db {

class RackHistory {
public:
    /// A message changed its state; `line`: that had it last, empty if none had.
    void moved(MessageState from, MessageState to, std::string_view line);
    /// A message was received whole.
    void received(std::string_view line);
    void note(const std::vector<ports::LineSignal>& signals) { signals_ = signals; }

    /// Last in each transaction: writes the minute that is counted if `now` is in another one.
    /// `waiting`: queued messages as of the commit before.
    void write_if_over(Connection& db, WallTime now, std::int64_t waiting);
    /// Writes what is counted so far; the rest of the minute is added to it later.
    void write(Connection& db, std::int64_t waiting);
    void committed();
    void rolled_back();

    /// Something was counted and is not written.
    [[nodiscard]] bool has_counts() const { return !counts_.empty(); }

private:
    struct Counts {
        std::uint64_t sent = 0;
        std::uint64_t failed = 0;
        std::uint64_t received = 0;
    };
    // The rack's own are under the empty name; no more than there are lines.
    using ByLine = std::map<std::string, Counts, std::less<>>;
    /// What the newest rows say.
    struct Written {
        std::optional<std::int64_t> hour = {};
        std::optional<std::int64_t> waiting = {};
        std::map<std::string, int, std::less<>> signals = {};
    };

    void count(std::string_view line, std::uint64_t Counts::*what);

    ByLine counts_ = {};                       // committed, of minute_
    ByLine batch_ = {};                        // of the batch that runs
    std::optional<std::int64_t> minute_ = {};  // nullopt: nothing was committed yet
    std::int64_t batch_minute_ = 0;            // of the batch that runs
    std::vector<ports::LineSignal> signals_ = {};
    Written written_ = {};
    std::optional<Written> writing_ = {};  // in the batch that runs
};

void apply(Writer& writer, const ports::NoteSignals& command);

}  // namespace smsrack::db
