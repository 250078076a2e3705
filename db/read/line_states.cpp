#include "db/read/line_states.hpp"

#include "db/read/first_since.hpp"
#include "src/sms/event.hpp"

#include <algorithm>

namespace smsrack::db {
namespace {

ports::LineState to_state(const Rows& row) {
    ports::LineState state;
    row.read(state.seq, state.at, state.state);
    return state;
}

/// Places of the log that a page looks at.
struct Walk {
    std::int64_t first;   ///< at or after
    std::int64_t before;  ///< below
    bool is_last;         ///< nothing that is asked for lies before it
};

Walk walk_of(Connection& db, const ports::LineStatesFilter& filter) {
    constexpr Sql first_in =
        "SELECT seq, at FROM events WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT 1";
    std::int64_t before = db.scalar<std::int64_t>("SELECT sequence FROM head", 0) + 1;
    if (filter.before != EventSeq{}) {
        before = std::min(before, filter.before.value);
    }
    if (filter.until) {
        before = std::min(before, first_since(db, first_in, *filter.until));
    }
    const std::int64_t oldest =
        filter.since ? first_since(db, first_in, *filter.since)
                     : db.scalar<std::int64_t>(
                           "SELECT coalesce(min(seq), 9223372036854775807) FROM events", 0);
    const std::int64_t first = std::max(oldest, before - ports::line_states_walk_max);
    return {.first = first, .before = before, .is_last = first == oldest || first >= before};
}

}  // namespace

ports::FoundLineStates read_line_states(Connection& db, const ports::LineStatesFilter& filter) {
    const Walk walk = walk_of(db, filter);
    ports::FoundLineStates found{
        .rows = db.all(to_state,
                       "SELECT seq, at, detail FROM events WHERE seq >= ? AND seq < ? AND type = ? "
                       "AND modem = ? ORDER BY seq DESC LIMIT ?",
                       walk.first, walk.before, EventType::modem_state, filter.line, filter.limit),
        .next = walk.is_last ? EventSeq{} : EventSeq{walk.first}};
    if (found.rows.size() == filter.limit) {
        found.next = found.rows.back().seq;
    }
    return found;
}

}  // namespace smsrack::db
