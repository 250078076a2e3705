#include "tests/days/pair_messages.hpp"

#include "tests/days/checkers/checkers.hpp"

namespace smsrack::days {

void each_pair_message(const Ledger& ledger, const std::function<void(const PairMessage&)>& what) {
    ledger.each(
        "SELECT to_addr, body, created_at, state IN (0, 1, 2, 3), state IN (7, 8, 9) AND NOT "
        "EXISTS "
        "(SELECT 1 FROM attempts a WHERE a.message = m.id AND a.outcome IN (0, 1, 4)) "
        "FROM messages m WHERE topic <> 0 ORDER BY id",
        {}, [&](const Row& row) {
            what({.pair = {row.text(0), topic_of(row.text(1))},
                  .created_at = std::chrono::milliseconds(row.number(2)),
                  .is_open = row.number(3) != 0,
                  .is_unsent = row.number(4) != 0});
        });
}

}  // namespace smsrack::days
