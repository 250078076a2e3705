/// Reads the messages of pairs (number, topic) from the store.
#pragma once

#include "tests/days/checkers/checker.hpp"
#include "tests/days/ledger.hpp"

#include <chrono>
#include <functional>

namespace smsrack::days {

struct PairMessage {
    Pair pair;
    std::chrono::milliseconds created_at{};  ///< since 1970
    bool is_open = false;                    ///< it is on its way, or its outcome is unknown
    bool is_unsent = false;                  ///< it ended, and no attempt may have reached anybody
};

/// Each of them, in the order in which they were made.
void each_pair_message(const Ledger& ledger, const std::function<void(const PairMessage&)>& what);

}  // namespace smsrack::days
