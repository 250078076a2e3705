#include "db/accepting.hpp"

#include "db/message_record.hpp"

#include <optional>

namespace smsrack::db {
namespace {

// A rack drains some messages a second, so a full store has room again within seconds, if little.
constexpr std::chrono::milliseconds full_retry_after{10'000};

MessageState first_state(std::uint8_t flags) {
    return (flags & flag_scheduled) != 0 ? MessageState::scheduled : MessageState::queued;
}

/// The answer that this ref had before.
std::optional<Result<ports::Accepted>> earlier_answer(Writer& writer, const NewMessage& message) {
    std::optional<Result<ports::Accepted>> answer;
    const auto same_ref = [&](MessageId id) {
        Rows row = writer.db.query(
            "SELECT ref, fingerprint, segments, flags FROM messages WHERE id = ?", id);
        if (!row.next()) {
            return false;
        }
        std::string ref;
        std::uint64_t fingerprint = 0;
        std::uint8_t segments = 1;
        std::uint8_t flags = 0;
        row.read(ref, fingerprint, segments, flags);
        if (ref != message.ref) {
            return false;
        }
        if (fingerprint == message.fingerprint) {
            answer = ports::Accepted{
                .id = id, .state = first_state(flags), .segments = segments, .repeated = true};
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
        Rows row = writer.db.query("SELECT text_hash, created_at FROM messages WHERE id = ?", id);
        if (!row.next()) {
            return false;
        }
        std::uint64_t text_hash = 0;
        WallTime created_at;
        row.read(text_hash, created_at);
        return text_hash == message.text_hash && created_at > since;
    };
    return writer.hashes.find(HashKind::text, message.text_hash, since, same_text);
}

std::uint8_t flags_of(const NewMessage& message) {
    return static_cast<std::uint8_t>((message.body.report ? flag_report : 0) |
                                     (message.body.is_data ? flag_octets : 0) |
                                     (message.not_before ? flag_scheduled : 0));
}

std::optional<std::uint32_t> packed(const std::optional<PortAddress>& ports) {
    if (!ports) {
        return std::nullopt;
    }
    return (std::uint32_t{ports->dst} << 16U) | ports->src;
}

void insert_row(Writer& writer, MessageId id, GroupId group, const NewMessage& m,
                std::optional<std::uint64_t> text_hash) {
    constexpr Sql with_text =
        "INSERT INTO messages (id, state, level, grp, segments, flags, waiting, to_addr, body, "
        "ref, fingerprint, text_hash, "
        "class, ports, created_at, expires_at, updated_at, due_at) "
        "VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const std::uint8_t flags = flags_of(m);
    const auto insert = [&](const auto& body) {
        writer.db.run(with_text, id, first_state(flags), m.level, group, m.segments, flags,
                      m.body.to, body, unless_empty(m.ref), m.fingerprint, text_hash,
                      m.body.message_class, packed(m.body.ports), m.created_at, m.expires_at,
                      m.created_at, m.not_before);
    };
    if (m.body.is_data) {
        insert(Octets{m.body.data});
    } else {
        insert(m.body.text);
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

void tell(Writer& writer, MessageId id, GroupId group, const NewMessage& message,
          MessageState state) {
    Event event;
    event.seq = EventSeq{id.value};
    event.at = message.created_at;
    event.message = id;
    event.state = state;
    writer.ledger.append_first(std::move(event));
    writer.ledger.count(state, message.level, +1);
    if (is_work(state)) {
        writer.ledger.count_work(group, message.level, message.segments);
    }
    if (state == MessageState::queued) {
        writer.ledger.work_waits(group, message.level);
    }
}

}  // namespace

Result<ports::Accepted> accept_message(Writer& writer, const NewMessage& message) {
    if (!message.ref.empty()) {
        if (auto answer = earlier_answer(writer, message)) {
            return *std::move(answer);
        }
    }
    if (!message.admitted) {
        return fail(Errc::overloaded, "");  // who asked knows why
    }
    const bool window_on = writer.settings.duplicate_window.count() > 0 && message.text_hash != 0;
    if (window_on && message.check_duplicate && is_duplicate(writer, message)) {
        return fail(Errc::duplicate, "the same number and text came within the window");
    }
    if (writer.ledger.waiting() >= writer.settings.capacity) {
        return std::unexpected(Error{.code = Errc::queue_full,
                                     .context = "[queue] capacity is reached",
                                     .retry_after = full_retry_after});
    }
    const auto text_hash = window_on ? std::optional(message.text_hash) : std::nullopt;
    const MessageId id{writer.ledger.next_number()};
    const GroupId group = writer.names.group(message.group);
    insert_row(writer, id, group, message, text_hash);
    remember_hashes(writer, id, message, text_hash);
    const MessageState state = first_state(flags_of(message));
    tell(writer, id, group, message, state);
    return ports::Accepted{.id = id, .state = state, .segments = message.segments};
}

}  // namespace smsrack::db
