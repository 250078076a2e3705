#include "db/write/accepting.hpp"

#include "db/read/message_record.hpp"
#include "db/write/batches.hpp"
#include "db/write/clients.hpp"
#include "db/write/clock_walk.hpp"
#include "db/write/conversations.hpp"
#include "db/write/fleet_places.hpp"
#include "db/write/opt_outs.hpp"
#include "db/write/parts.hpp"

#include <optional>

namespace smsrack::db {
namespace {

// A rack drains some messages a second, so a full store has room again within seconds, if little.
constexpr std::chrono::milliseconds full_retry_after{10'000};

struct RefOwner {
    std::optional<OwnerId> owner = {};  ///< nullopt: not known, so it may be anyone's
    std::string client = {};
};

/// Each client has its own refs, and each account those of its messages without a client. A message without a client is its
/// account's, so a program that begins to name itself still gets its first answers.
bool is_of_another(const RefOwner& earlier, const NewMessage& message) {
    if (!earlier.client.empty() && !message.client.empty()) {
        return earlier.client != message.client;
    }
    return earlier.owner && *earlier.owner != message.owner;
}

/// nullopt: boxes do not share it.
std::optional<Kept> kept_of(Writer& writer, MessageId id, std::uint8_t flags) {
    const auto place = (flags & flag_shared) != 0 ? load_place(writer.db, id) : std::nullopt;
    return place.transform([](const FleetPlace& one) { return one.kept; });
}

/// The answer that this ref had before.
std::optional<Result<ports::Accepted>> earlier_answer(Writer& writer, const NewMessage& message) {
    std::optional<Result<ports::Accepted>> answer;
    const auto same_ref = [&](MessageId id) {
        std::string ref;
        std::uint64_t fingerprint = 0;
        std::uint8_t segments = 1;
        std::uint8_t flags = 0;
        RefOwner earlier;
        const bool found = writer.db.first(
            std::tie(ref, fingerprint, segments, flags, earlier.owner, earlier.client),
            "SELECT m.ref, m.fingerprint, m.segments, m.flags, m.owner, c.name FROM messages m "
            "LEFT JOIN clients c ON c.id = m.client WHERE m.id = ?",
            id);
        if (!found || ref != message.ref || is_of_another(earlier, message)) {
            return false;
        }
        if (fingerprint == message.fingerprint) {
            answer = ports::Accepted{.id = id,
                                     .state = first_state(flags),
                                     .segments = segments,
                                     .repeated = true,
                                     .kept = kept_of(writer, id, flags)};
        } else {
            answer = fail(Errc::ref_conflict, "ref: known with another request");
        }
        return true;
    };
    writer.hashes.find(HashKind::ref, hash_of(message.ref),
                       message.created_at - writer.settings.ref_retention, same_ref);
    return answer;
}

bool is_duplicate(Writer& writer, const NewMessage& message) {
    const WallTime since = message.created_at - writer.settings.duplicate_window;
    const auto same_text = [&](MessageId id) {
        std::uint64_t text_hash = 0;
        WallTime created_at;
        return writer.db.first(std::tie(text_hash, created_at),
                               "SELECT text_hash, created_at FROM messages WHERE id = ?", id) &&
               text_hash == message.text_hash && true_date(writer.db, id, created_at) > since;
    };
    return writer.hashes.find(HashKind::text, message.text_hash, since, same_text);
}

/// What the recipient got already, newest first; what ended unsent is not counted.
std::optional<Error> recipient_limit(Writer& writer, const NewMessage& message) {
    const RecipientLimits& limits = message.limits;
    if (!limits.per_hour && !limits.per_day) {
        return std::nullopt;
    }
    const WallTime hour = message.created_at - std::chrono::hours(1);
    const WallTime day = message.created_at - std::chrono::hours(24);
    std::uint32_t within_hour = 0;
    std::uint32_t within_day = 0;
    const auto spent = [&] {
        return (limits.per_hour && within_hour >= *limits.per_hour) ||
               (limits.per_day && within_day >= *limits.per_day);
    };
    (void)writer.hashes.find(
        HashKind::recipient, recipient_hash(message.body.to), limits.per_day ? day : hour,
        [&](MessageId id) {
            std::string to;
            MessageState state{};
            WallTime at;
            (void)writer.db.first(std::tie(to, state, at),
                                  "SELECT to_addr, state, created_at FROM messages WHERE id = ?",
                                  id);
            const bool unsent = state == MessageState::cancelled ||
                                state == MessageState::expired || state == MessageState::failed;
            if (to == message.body.to && !unsent) {
                at = true_date(writer.db, id, at);
                within_hour += at > hour ? 1 : 0;
                within_day += at > day ? 1 : 0;
            }
            return spent();
        });
    if (!spent()) {
        return std::nullopt;
    }
    const bool by_hour = limits.per_hour && within_hour >= *limits.per_hour;
    return Error{.code = Errc::forbidden,
                 .context = "rule recipient_limit: " +
                            (by_hour ? std::to_string(*limits.per_hour) + " in an hour"
                                     : std::to_string(*limits.per_day) + " in a day") +
                            " to one number"};
}

/// Parts of one message go by one SIM, and what the rack sends to itself goes by its own.
bool is_shared(const Writer& writer, const NewMessage& message) {
    return message.shared && writer.settings.box != BoxNumber{} && !message.body.part &&
           !message.self_sms;
}

std::uint8_t flags_of(const Writer& writer, const NewMessage& message) {
    return static_cast<std::uint8_t>(
        (is_shared(writer, message) ? flag_shared : 0) | (message.body.report ? flag_report : 0) |
        (message.body.is_data ? flag_octets : 0) | (message.not_before ? flag_scheduled : 0) |
        (message.sticky ? flag_sticky : 0) | (message.waits_for_parts ? flag_waits_for_parts : 0));
}

std::optional<std::uint32_t> packed(const std::optional<PortAddress>& ports) {
    if (!ports) {
        return std::nullopt;
    }
    return (std::uint32_t{ports->dst} << 16U) | ports->src;
}

/// What the row has in addition to the message itself.
struct Place {
    MessageId id;
    GroupId group;
    BatchId batch;
    ports::TopicId topic;
    ClientId client;
    MessageId origin = {};  // of another box's message
};

void insert_row(Writer& writer, const Place& place, const NewMessage& m,
                std::optional<std::uint64_t> text_hash) {
    constexpr Sql with_text =
        "INSERT INTO messages (id, state, level, grp, segments, flags, waiting, to_addr, body, "
        "ref, fingerprint, text_hash, class, ports, created_at, expires_at, updated_at, due_at, "
        "batch, topic, client, owner, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, "
        "?, ?, ?, ?, ?, ?, ?)";
    const std::uint8_t flags = flags_of(writer, m);
    const auto insert = [&](const auto& body) {
        writer.db.run(with_text, place.id, first_state(flags), m.level, place.group, m.segments,
                      flags, first_state(flags) != MessageState::elsewhere, m.body.to, body,
                      unless_empty(m.ref), m.fingerprint, text_hash, m.body.message_class,
                      packed(m.body.ports), m.created_at, m.expires_at, m.created_at, m.not_before,
                      place.batch, place.topic, place.client, m.owner, unless_empty(m.note));
    };
    if (m.body.is_data) {
        insert(Octets{m.body.data});
    } else {
        insert(m.body.text);
    }
    if (!m.body.elements.empty()) {
        writer.db.run("UPDATE messages SET elements = ? WHERE id = ?", Octets{m.body.elements},
                      place.id);
    }
    if (m.by) {
        writer.db.run("UPDATE messages SET by_sim = ? WHERE id = ?",
                      writer.names.sim(m.by->iccid, m.by->imsi), place.id);
    }
    if (m.body.pid != 0) {
        writer.db.run("UPDATE messages SET pid = ? WHERE id = ?", m.body.pid, place.id);
    }
}

void remember_hashes(Writer& writer, MessageId id, const NewMessage& message,
                     std::optional<std::uint64_t> text_hash) {
    if (!message.ref.empty()) {
        writer.hashes.add(HashKind::ref, hash_of(message.ref), id);
    }
    writer.hashes.add(HashKind::recipient, recipient_hash(message.body.to), id);
    if (text_hash) {
        writer.hashes.add(HashKind::text, *text_hash, id);
    }
    writer.hashes.added(id, message.created_at);
}

void tell(Writer& writer, const Place& place, const NewMessage& message, MessageState state) {
    Event event;
    event.seq = EventSeq{place.id.value};
    event.at = message.created_at;
    event.message = place.id;
    event.origin = place.origin;
    event.client = place.client;
    event.owner = message.owner;
    event.to = message.body.to;
    event.note = message.note;
    event.state = state;
    writer.ledger.append_first(std::move(event));
    writer.ledger.count(state, message.level, +1);
    writer.ledger.count(place.batch, state, +1);
    writer.ledger.count(place.client, state, +1);
    if (is_work(state)) {
        writer.ledger.count_work(place.group, message.level, message.segments, place.batch);
    }
    if (state == MessageState::queued) {
        writer.ledger.work_waits(place.group, message.level, place.id);
    }
}

/// It has a client only if that is known already, and it is not.
bool has_unknown_client(Writer& writer, const NewMessage& message) {
    return message.client_if_known && !read_client(writer.db, message.client);
}

NewMessage without_client(NewMessage message) {
    message.client.clear();
    message.client_if_known = false;
    return message;
}

bool has_window(const Writer& writer, const NewMessage& message) {
    return writer.settings.duplicate_window.count() > 0 && message.text_hash != 0;
}

Result<> room_for_one(const Writer& writer) {
    if (writer.ledger.waiting() >= writer.settings.capacity) {
        return std::unexpected(Error{.code = Errc::queue_full,
                                     .context = "[queue] capacity is reached",
                                     .retry_after = full_retry_after});
    }
    return {};
}

}  // namespace

std::optional<Error> refusal_of(Writer& writer, const NewMessage& message) {
    if (message.refused) {
        return message.refused;
    }
    if (auto refused = refused_client(writer, message)) {
        return refused;
    }
    if (!message.batch.empty() && is_cancelled_batch(writer.db, message.batch)) {
        return Error{
            .code = Errc::conflict,
            .context = "batch " + message.batch + " was cancelled; a new one needs another name"};
    }
    if (!writer.rules.opt_out.exempts(message.group, message.level) &&
        find_opt_out(writer.db, message.body.to)) {
        return Error{.code = Errc::forbidden,
                     .context = "rule opt_out: the recipient wants no messages"};
    }
    return recipient_limit(writer, message);
}

namespace {

/// Of a message that is not kept; nullopt: it is. Changes no row.
std::optional<Result<ports::Accepted>> answer_without_row(Writer& writer,
                                                          const NewMessage& message) {
    if (!message.ref.empty()) {
        if (auto answer = earlier_answer(writer, message)) {
            return answer;
        }
    }
    if (auto refused = refusal_of(writer, message)) {
        return std::unexpected(*std::move(refused));
    }
    if (!message.admitted) {
        return fail(Errc::overloaded, "");  // who asked knows why
    }
    if (has_window(writer, message) && message.check_duplicate && is_duplicate(writer, message)) {
        return fail(Errc::duplicate, "the same number and text came within the window");
    }
    if (auto room = room_for_one(writer); !room) {
        return std::unexpected(std::move(room.error()));
    }
    return std::nullopt;
}

}  // namespace

std::optional<MessageId> announce_message(Writer& writer, const NewMessage& message,
                                          ports::StoreListener& listener) {
    if (has_unknown_client(writer, message)) {
        return announce_message(writer, without_client(message), listener);
    }
    const auto group = writer.names.known_group(message.group);
    // Its row comes first otherwise, and takes the number before.
    const bool is_known = message.client.empty() || read_client(writer.db, message.client);
    const bool is_plain = !message.not_before && message.batch.empty() && !message.body.part &&
                          !message.sticky && !message.by && !message.self_sms &&
                          !is_shared(writer, message);
    if (!group || !listener.begins_at_once(*group) || !is_known || !is_plain ||
        answer_without_row(writer, message)) {
        return std::nullopt;
    }
    const MessageId id{writer.ledger.next_number()};
    listener.about_to_queue({.id = id,
                             .body = message.body,
                             .level = message.level,
                             .group = *group,
                             .created_at = message.created_at,
                             .queued_at = message.created_at,
                             .queued_by = EventSeq{id.value},
                             .expires_at = message.expires_at});
    return id;
}

Result<ports::Accepted> apply(Writer& writer, const ports::Accept& command) {
    return accept_message(writer, command.message);
}

Result<ports::Accepted> accept_message(Writer& writer, const NewMessage& message,
                                       ports::TopicId topic, std::optional<MessageId> number) {
    if (has_unknown_client(writer, message)) {
        return accept_message(writer, without_client(message), topic, number);
    }
    if (auto answer = answer_without_row(writer, message)) {
        return *std::move(answer);
    }
    const auto text_hash =
        has_window(writer, message) ? std::optional(message.text_hash) : std::nullopt;
    // Before the message's own number: a new client's cursor is before all that it brings.
    const ClientId client = message.self_sms ? rack_itself
                            : message.client.empty()
                                ? ClientId{}
                                : client_of(writer, message.client, message.created_at);
    const GroupId group = writer.names.group(message.group);
    const auto parts = message.body.part
                           ? std::optional(join_part_set(writer, message, client, group))
                           : std::nullopt;
    const auto held = parts ? std::optional(held_part(message, *parts)) : std::nullopt;
    const NewMessage& kept = held ? *held : message;
    const Place place{.id = number ? *number : MessageId{writer.ledger.next_number()},
                      .group = parts ? parts->group : group,
                      .batch = message.batch.empty()
                                   ? BatchId{}
                                   : writer.names.batch(message.batch, message.created_at),
                      .topic = topic,
                      .client = client};
    insert_row(writer, place, kept, text_hash);
    remember_hashes(writer, place.id, message, text_hash);
    if (!message.self_sms) {
        note_sent(writer.db, message.body.to, place.id);
    }
    const MessageState state = first_state(flags_of(writer, kept));
    if (state == MessageState::elsewhere) {
        insert_place(writer.db, place.id, {});
    }
    tell(writer, place, kept, state);
    if (parts) {
        add_part(writer, place.id, message, *parts);
    }
    return ports::Accepted{
        .id = place.id,
        .state = state,
        .segments = message.segments,
        .kept = state == MessageState::elsewhere ? std::optional(Kept::here) : std::nullopt};
}

void insert_guest(Writer& writer, const NewMessage& message, const FleetPlace& where) {
    const Place place{.id = MessageId{writer.ledger.next_number()},
                      .group = writer.names.group(message.group),
                      .batch = message.batch.empty()
                                   ? BatchId{}
                                   : writer.names.batch(message.batch, message.created_at),
                      .topic = {},
                      .client = {},
                      .origin = where.origin};
    insert_row(writer, place, message, std::nullopt);
    insert_place(writer.db, place.id, where);
    remember_hashes(writer, place.id, message, std::nullopt);
    note_sent(writer.db, message.body.to, place.id);
    tell(writer, place, message, MessageState::elsewhere);
}

void date_anew(NewMessage& message, std::span<const ClockMove> moves, bool ours) {
    for (const ClockMove& move : moves) {
        if (!move.concerns(message.created_at, message.expires_at)) {
            continue;
        }
        message.created_at += move.by;
        if (!message.not_before || ours) {
            message.expires_at += move.by;
        }
        if (message.not_before && ours) {
            *message.not_before += move.by;
        }
    }
}

void date_anew(ports::Accept& command, std::span<const ClockMove> moves) {
    date_anew(command.message, moves);
}

}  // namespace smsrack::db
