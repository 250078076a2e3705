/// After a stop of any kind: what was in a modem's hand is uncertain, unless the answer was noted; what waited for a line goes
/// on.
///
/// Its events are in the log; no listener is notified.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "db/write/last_answers.hpp"

#include <cstddef>
#include <span>

namespace smsrack::db {

struct Recovered {
    std::size_t uncertain = 0;  ///< attempts that were open
    std::size_t answered = 0;   ///< likewise, but their modems' answers were noted
    std::size_t going_on = 0;   ///< messages between two attempts, due now
};

/// One transaction is the caller's. `in_hand`: attempts that were resumed with their modems; they and
/// their messages stay as they are.
[[nodiscard]] Recovered recover(Writer& writer, const LastAnswers& answers,
                                std::span<const AttemptId> in_hand, WallTime now);

}  // namespace smsrack::db
