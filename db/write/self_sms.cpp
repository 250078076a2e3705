#include "db/write/self_sms.hpp"

#include "db/read/message_record.hpp"
#include "db/write/attempt_notes.hpp"
#include "src/base/check.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace smsrack::db {
namespace {

// Of the newest, those that are still out. A group has one in ten minutes at the most, and each is out for minutes.
constexpr int looked_at_max = 256;
// Of the newest: a round of all levels of some hundred groups. What is older is as if it had not been.
constexpr int remembered_max = 2'048;

MessageId find_message(Writer& writer, const std::string& ref, WallTime now) {
    MessageId found{};
    writer.hashes.find(
        HashKind::ref, hash_of(ref), now - writer.settings.ref_retention, [&](MessageId id) {
            std::string of;
            ClientId client;
            (void)writer.db.first(std::tie(of, client),
                                  "SELECT ref, client FROM messages WHERE id = ?", id);
            if (of == ref && client == rack_itself) {
                found = id;
            }
            return found != MessageId{};
        });
    return found;
}

std::vector<ports::AttemptNote> arrivals_of(Connection& db, AttemptId attempt) {
    std::vector<ports::AttemptNote> notes = read_notes(db, attempt);
    std::erase_if(notes, [](const ports::AttemptNote& note) {
        return note.kind != ports::NoteKind::self_sms;
    });
    return notes;
}

/// That it came is the answer to its attempt too.
void answer_attempt(Writer& writer, MessageRecord& message) {
    writer.db.run("UPDATE attempts SET outcome = ?, pending = NULL WHERE id = ?",
                  OutcomeKind::accepted, message.segments.front().attempt);
    message.cause = {};
    message.detail.clear();
}

void deliver(Writer& writer, MessageRecord& message, WallTime at, std::string_view modem) {
    SegmentRecord& segment = message.segments.front();
    const bool uncertain = segment.state == MessageState::uncertain;
    if (!apply_event(segment, MessageEvent::delivery)) {
        return;  // its answer is still to come, or it had been given up
    }
    if (uncertain) {
        answer_attempt(writer, message);
    }
    save_message(writer, message, state_of(message.segments),
                 {.at = at, .modem = modem, .attempt = message.attempts});
}

}  // namespace

std::optional<SelfSmsArrival> arrived_self_sms(Writer& writer, const InboundSegment& segment) {
    if (segment.kind == InboundKind::data || segment.kind == InboundKind::undecodable) {
        return std::nullopt;
    }
    const auto ref = self_sms_ref_in(writer.rules.join_segments({&segment, 1}).text);
    const MessageId id = ref ? find_message(writer, *ref, segment.received_at) : MessageId{};
    auto message = id != MessageId{} ? load_message(writer.db, id) : std::nullopt;
    if (!message) {
        return std::nullopt;
    }
    const auto accepted =
        writer.db.scalar<WallTime>("SELECT created_at FROM messages WHERE id = ?", {}, id);
    SelfSmsArrival arrival{
        .again = !arrivals_of(writer.db, message->last_attempt).empty(),
        .took = std::max(std::chrono::milliseconds(0), segment.received_at - accepted)};
    if (arrival.again || message->segments.empty()) {
        return arrival;
    }
    keep_note(
        writer.db, message->last_attempt,
        {.kind = ports::NoteKind::self_sms,
         .at = segment.received_at,
         .text = fmt::format("{}: {}, {} ms after its acceptance", time_text(segment.received_at),
                             segment.modem, arrival.took.count())});
    deliver(writer, *message, segment.received_at, segment.modem);
    return arrival;
}

MessageState settle_self_sms(Writer& writer, MessageId id) {
    auto message = load_message(writer.db, id);
    SMSRACK_CHECK(message && !message->segments.empty());  // an attempt of it has just ended
    const auto arrivals = arrivals_of(writer.db, message->last_attempt);
    if (!arrivals.empty()) {
        deliver(writer, *message, arrivals.front().at, message->modem);
    }
    return message->state;
}

void apply(Writer& writer, const ports::LoseSelfSms& command) {
    const auto& [overdue, at] = command;
    for (const MessageId id : writer.db.column<MessageId>(
             "SELECT id FROM (SELECT id, state, expires_at FROM messages INDEXED BY "
             "messages_client WHERE client <> 0 AND client = ? ORDER BY id DESC LIMIT ?) WHERE "
             "state IN (3, 4) AND expires_at < ?",
             rack_itself, looked_at_max, overdue)) {
        auto message = load_message(writer.db, id);
        if (!message || message->segments.empty() ||
            !apply_event(message->segments.front(), MessageEvent::refusal)) {
            continue;
        }
        settle_attempts(writer.db, *message);
        message->detail = "self_sms_lost";
        save_message(writer, *message, state_of(message->segments),
                     {.at = at,
                      .modem = message->modem,
                      .attempt = message->attempts,
                      .detail = message->detail});
    }
}

std::vector<ports::SelfSmsSent> read_self_sms_sent(Connection& db) {
    const auto read = [](const Rows& row) {
        ports::SelfSmsSent sent;
        row.read(sent.group, sent.level, sent.at);
        return sent;
    };
    return db.all(read,
                  "SELECT grp, level, max(created_at) FROM (SELECT grp, level, created_at FROM "
                  "messages INDEXED BY messages_client WHERE client <> 0 AND client = ? ORDER BY "
                  "id DESC LIMIT ?) GROUP BY grp, level",
                  rack_itself, remembered_max);
}

}  // namespace smsrack::db
