/// What every write of the store works with, inside the transaction of a batch.
///
/// Threads: the writing thread.
#pragma once

#include "db/engine/connection.hpp"
#include "db/engine/hash_index.hpp"
#include "db/engine/names.hpp"
#include "db/settings.hpp"
#include "db/write/ledger.hpp"
#include "src/base/clock.hpp"
#include "src/base/clock_move.hpp"
#include "src/ports/store_rules.hpp"

#include <vector>

namespace smsrack::db {

class Anonymiser;
class RackHistory;
class Retention;

struct Writer {
    Connection& db;
    Ledger& ledger;
    HashIndex& hashes;
    Names& names;
    const ports::StoreRules& rules;
    const SqliteStoreSettings& settings;
    Retention& retention;
    Anonymiser& anonymiser;
    RackHistory& history;
    const Clock& clock;  ///< for what no caller dates
    std::vector<ClockMove>&
        moves;  ///< made since the start, in the order in which they were asked for
};

}  // namespace smsrack::db
