/// Keeps in the store how the clock that dates its rows goes against the time since boot.
///
/// A process that starts later in the same boot sees by it that the clock was set in between, also if
/// the process before was killed while the disk took nothing. It then moves the rows itself.
/// The row is written with the first batch that writes something after a boot, after a move or after
/// a small step of the clock. Other batches cost nothing.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/clock_move.hpp"
#include "src/base/guarded_clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace smsrack::db {

/// When the newest row was made: the clock should not be older.
[[nodiscard]] WallTime newest_row(Connection& db);
/// The clock is `at`, whatever it was for the rows so far.
void keep_clock_set(Connection& db, WallTime at);

/// How an earlier process of this boot dated the rows; nullopt if none did, or if `boot` is empty.
[[nodiscard]] std::optional<Reckoning> reckoning_of(Connection& db, std::string_view boot);

class ClockRecord {
public:
    /// After GuardedClock::not_before(). `guard` outlives the object; null: nothing is kept.
    ClockRecord(const GuardedClock* guard, std::string_view boot, Connection& db);

    /// Last in each transaction that writes. `moves`: all that the store has made, those of this
    /// transaction too.
    void write_if_changed(Connection& db, std::span<const ClockMove> moves);
    void committed();
    void rolled_back() { writing_.reset(); }

private:
    struct State {
        Reckoning reckoning = {};
        std::size_t moves = 0;                 // that it has
        std::chrono::nanoseconds followed{0};  // likewise
    };

    [[nodiscard]] State now(std::span<const ClockMove> moves) const;

    const GuardedClock* guard_;
    const std::int64_t boot_;
    State state_ = {};                   // of the rows as they were committed
    bool kept_ = false;                  // state_ is in the store
    std::optional<State> writing_ = {};  // by the batch that runs
};

}  // namespace smsrack::db
