#include "db/upkeep/missing_reports.hpp"

#include "db/read/message_record.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace smsrack::db {
namespace {

using namespace std::chrono_literals;

// After the end of a message's lifetime, the centre's report of it may still be on its way.
constexpr auto report_travels = 1h;
// Until messages that may still get their report are looked at again.
constexpr auto looks_again_after = 1h;

struct Seen {
    EventSeq seq = {};
    MessageId sent = {};  ///< a message of a client that became `sent`; 0: another event
};

/// The next events that are old enough, in order.
std::vector<Seen> old_events(Connection& db, EventSeq place, WallTime before, std::size_t limit) {
    std::vector<Seen> events;
    // A row from before the clock was set is not newer than the time it was set to.
    Rows rows = db.query(
        "SELECT seq, min(at, coalesce((SELECT c.at FROM clock_set c WHERE c.event >= seq), at)), "
        "CASE WHEN type = ? AND state = ? AND client > 0 THEN message ELSE 0 END FROM events "
        "WHERE seq > ? ORDER BY seq LIMIT ?",
        EventType::message_state, MessageState::sent, place, limit);
    while (rows.next()) {
        WallTime at;
        Seen seen;
        rows.read(seen.seq, at, seen.sent);
        if (at > before) {
            break;
        }
        events.push_back(seen);
    }
    return events;
}

/// When its report is late; nullopt: the message does not wait for one.
std::optional<WallTime> late_at(Connection& db, MessageId id) {
    WallTime expires_at;
    const bool waits = db.first(std::tie(expires_at),
                                "SELECT expires_at FROM messages WHERE id = ? AND state = ? AND "
                                "flags & ? <> 0 AND detail IS NOT ?",
                                id, MessageState::sent, flag_report, no_report_came);
    return waits ? std::optional(expires_at + report_travels) : std::nullopt;
}

void end_wait(Writer& writer, MessageId id) {
    auto message = load_message(writer.db, id);
    SMSRACK_CHECK(message.has_value());
    message->detail = no_report_came;
    save_message(writer, *message, message->state,
                 {.at = writer.clock.wall(),
                  .modem = message->modem,
                  .detail = no_report_came,
                  .is_told_anyhow = true});
}

}  // namespace

void MissingReports::look_at(Writer& writer, MessageId id, EventSeq before) {
    const auto late = late_at(writer.db, id);
    if (!late) {
        return;
    }
    if (*late <= writer.clock.wall()) {
        return end_wait(writer, id);
    }
    if (!later_) {
        later_ = {.before = before, .at = writer.clock.wall() + looks_again_after};
    }
    later_->before = std::min(later_->before, before);
}

std::size_t MissingReports::step(Writer& writer, std::size_t limit) {
    const WallTime now = writer.clock.wall();
    const auto events = old_events(writer.db, place_, now - writer.settings.report_window, limit);
    for (const auto& [seq, sent] : events) {
        const EventSeq before = std::exchange(place_, seq);
        if (sent != MessageId{}) {
            look_at(writer, sent, before);
        }
    }
    if (events.size() < limit && later_ && later_->at <= now) {
        place_ = std::exchange(later_, std::nullopt)->before;
    }
    return events.size();
}

}  // namespace smsrack::db
