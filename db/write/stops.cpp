#include "db/write/stops.hpp"

#include "db/engine/hash_index.hpp"
#include "db/read/message_record.hpp"
#include "db/write/opt_outs.hpp"
#include "src/sms/address.hpp"
#include "src/sms/event.hpp"

#include <optional>
#include <string>

namespace smsrack::db {
namespace {

// Messages of one recipient hash that are looked at: the newest ones.
constexpr int candidates_max = 256;

// History is asked for that long back where no time is set.
constexpr std::chrono::days history_window{90};

/// A message that was sent, or is being sent, to the number.
struct Written {
    MessageId id = {};
    MessageState state = MessageState::sent;
    EventSeq last_event = {};
    std::string group = {};
};

struct Found {
    bool by_group = false;               ///< the group has written to the number
    std::optional<Written> newest = {};  ///< that waits for no line: its history can be continued
};

/// The hash index looks back a run at a time: what is too old is left out here.
std::optional<Written> written_to(Writer& writer, MessageId id, std::string_view number,
                                  WallTime since) {
    Written written{.id = id};
    std::string to;
    int attempts = 0;
    WallTime updated_at;
    const bool found = writer.db.first(
        std::tie(to, attempts, updated_at, written.state, written.last_event, written.group),
        "SELECT m.to_addr, m.attempts, m.updated_at, m.state, m.last_event, g.name FROM messages m "
        "LEFT JOIN groups g ON g.id = m.grp WHERE m.id = ?",
        id);
    const bool counts = found && attempts > 0 && updated_at >= since && same_subscriber(to, number);
    return counts ? std::optional(std::move(written)) : std::nullopt;
}

Found find_written(Writer& writer, const InboundSegment& stop, WallTime since) {
    const auto& groups = writer.rules.opt_out.groups;
    const auto line = groups.find(stop.modem);
    Found found;
    int looked_at = 0;
    writer.hashes.find(HashKind::recipient, recipient_hash(stop.from), since, [&](MessageId id) {
        if (auto written = written_to(writer, id, stop.from, since)) {
            found.by_group =
                found.by_group || line == groups.end() || written->group == line->second;
            if (!found.newest && written->state >= MessageState::sent) {
                found.newest = std::move(written);
            }
        }
        return (found.by_group && found.newest) || ++looked_at >= candidates_max;
    });
    return found;
}

void tell(Writer& writer, const InboundSegment& stop, const ports::OptOutRow& row, bool counts,
          const std::optional<Written>& newest) {
    Event event;
    event.at = row.at;
    event.type = EventType::opt_out_stop;
    event.inbox = row.inbox;
    event.modem = stop.modem;
    event.detail = counts ? "stop_counted" : "stop_ignored";
    if (newest) {
        event.message = newest->id;
        event.state = newest->state;
    }
    const EventSeq seq =
        writer.ledger.append(std::move(event), newest ? newest->last_event : EventSeq{});
    if (newest) {
        writer.db.run("UPDATE messages SET last_event = ? WHERE id = ?", seq, newest->id);
    }
}

bool is_number(std::string_view from) {
    return from.find_first_not_of("+0123456789") == std::string_view::npos;
}

/// `row`: what goes onto the list where it counts.
StopHeard hear_stop(Writer& writer, const InboundSegment& stop, const ports::OptOutRow& row) {
    const std::chrono::seconds written = writer.rules.opt_out.written;
    const auto window = written.count() > 0 ? written : std::chrono::seconds(history_window);
    const Found found = find_written(writer, stop, row.at - window);
    const bool counts = written.count() == 0 || found.by_group;
    if (counts) {
        (void)opt_out(writer, row);
    }
    tell(writer, stop, row, counts, found.newest);
    return counts ? StopHeard::counted : StopHeard::ignored;
}

}  // namespace

StopHeard heed_wish(Writer& writer, const InboundSegment& first, std::string_view text,
                    ports::OptOutRow row) {
    if (!writer.rules.wish_of || first.from.empty() || !is_number(first.from)) {
        return StopHeard::none;
    }
    const ports::OptOutWish wish = writer.rules.wish_of(text);
    if (wish == ports::OptOutWish::stop) {
        row.number = first.from;
        return hear_stop(writer, first, row);
    }
    if (wish == ports::OptOutWish::start) {
        (void)opt_in(writer, first.from, row.at, false);
    }
    return StopHeard::none;
}

}  // namespace smsrack::db
