#include "db/write/inbound.hpp"

#include "db/write/assemblies.hpp"
#include "db/write/conversations.hpp"
#include "db/write/fleet_places.hpp"
#include "db/write/held_places.hpp"
#include "db/write/inbound_columns.hpp"
#include "db/write/rack_history.hpp"
#include "db/write/self_sms.hpp"
#include "db/write/stops.hpp"
#include "src/base/check.hpp"
#include "src/sms/address.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace smsrack::db {
namespace {

// Messages of one recipient hash that are looked at for `reply_to`: the newest ones.
constexpr int reply_candidates_max = 32;
// How far back an answer may refer to a message.
constexpr std::chrono::days reply_window{30};
// How far back a client must have written to a number to get what comes from it.
constexpr std::chrono::hours client_window{72};

/// False: it is whole, or says nonsense of its place in a longer message.
bool is_part(const InboundSegment& segment) {
    const auto& concat = segment.concat;
    return concat && concat->total > 1 && concat->seq >= 1 && concat->seq <= concat->total;
}

/// Messages of its sender and reference that are not whole, oldest first.
std::optional<OpenAssembly> find_assembly(Writer& writer, const InboundSegment& s) {
    auto open = open_assemblies(writer, s);
    std::vector<ports::AssemblyCandidate> candidates;
    candidates.reserve(open.size());
    for (OpenAssembly& assembly : open) {
        candidates.push_back(std::move(assembly.candidate));
    }
    const auto chosen = writer.rules.choose_assembly(s, candidates);
    SMSRACK_CHECK(!chosen || *chosen < open.size());
    return chosen ? std::optional(std::move(open[*chosen])) : std::nullopt;
}

constexpr InboxId in_none_for_ever{};  // a silent one, or one for the rack itself

struct Joined {
    std::optional<ConcatInfo> concat = {};  ///< nullopt: it waits for no other
    std::optional<InboxId> inbox = {};      ///< nullopt: while it waits for others
    std::int64_t assembly = 0;              ///< 0: it begins one
};

/// Gives the assembly that it belongs to, or begins.
std::int64_t insert_segment(Writer& writer, const InboundSegment& s, const Joined& joined) {
    const std::int64_t id = writer.ledger.next_number();
    const std::int64_t assembly = joined.assembly == 0 ? id : joined.assembly;
    const auto& place = joined.concat;
    const ConcatInfo whole;
    const ConcatInfo& p = place ? *place : whole;
    writer.db.run(
        "INSERT INTO inbound_segments (id, fingerprint, inbox, assembly, modem, sim, own_number, "
        "from_addr, scts, scts_text, kind, payload, ref, ref_bits, total, seq, class, pid, ports, "
        "waiting, raw, received_at, place, maybe_repeat, read_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        id, s.fingerprint, joined.inbox, assembly, s.modem, s.sim, s.own_number, s.from, s.scts,
        s.scts_text, s.kind, Octets{s.payload}, place ? std::optional<int>(p.ref) : std::nullopt,
        place ? std::optional<int>(p.ref_bits) : std::nullopt, p.total, p.seq, s.message_class,
        s.pid, stored(s.ports), stored(s.waiting), Octets{s.raw}, s.received_at, stored(s.held_at),
        s.maybe_repeat, s.heard_at);
    return assembly;
}

/// The segments of a message that is not released yet, in order of seq.
std::vector<InboundSegment> load_assembly(Connection& db, std::int64_t assembly) {
    std::vector<InboundSegment> segments;
    // The index of waiting segments finds them by the first one's SIM, sender and reference.
    Rows rows = db.query(
        "SELECT s.modem, s.sim, s.own_number, s.from_addr, s.scts, s.scts_text, s.kind, s.payload, "
        "s.ref, s.total, s.seq, s.ref_bits, s.class, s.pid, s.ports, s.waiting, s.raw, "
        "s.received_at, s.maybe_repeat FROM inbound_segments f JOIN inbound_segments s ON s.inbox "
        "IS NULL AND s.sim = f.sim AND s.from_addr = f.from_addr AND s.ref IS f.ref WHERE f.id = "
        "?1 AND s.assembly = ?1 ORDER BY s.seq",
        assembly);
    while (rows.next()) {
        InboundSegment& s = segments.emplace_back();
        std::optional<std::uint16_t> ref;
        ConcatInfo concat;
        std::optional<std::int64_t> ports;
        std::optional<int> waiting;
        rows.read(s.modem, s.sim, s.own_number, s.from, s.scts, s.scts_text, s.kind, s.payload, ref,
                  concat.total, concat.seq, concat.ref_bits, s.message_class, s.pid, ports, waiting,
                  s.raw, s.received_at, s.maybe_repeat);
        s.ports = ports_of(ports);
        s.waiting = waiting_of(waiting);
        if (ref) {
            concat.ref = *ref;
            s.concat = concat;
        }
    }
    return segments;
}

struct Answered {
    MessageId message = {};  ///< the newest sent to its sender by this SIM; 0: none
    ClientId client = {};    ///< that wrote last to its sender, by any SIM; 0: none did recently
};

/// One look into the index of hashes gives both.
Answered find_answered(Writer& writer, const InboundSegment& s) {
    int looked_at = 0;
    Answered found;
    const WallTime client_since = s.received_at - client_window;
    const auto answers = [&](MessageId id) {
        std::string to;
        SimId sim;
        ClientId client;
        int attempts = 0;
        WallTime updated_at;
        (void)writer.db.first(
            std::tie(to, sim, client, attempts, updated_at),
            "SELECT to_addr, sim, client, attempts, updated_at FROM messages WHERE id = ?", id);
        const bool is_recent = updated_at >= client_since;
        const bool is_to_sender = same_subscriber(to, s.from);
        if (is_to_sender && found.message == MessageId{} && sim == s.sim && sim != SimId{}) {
            found.message = id;
        }
        if (is_to_sender && found.client == ClientId{} && is_recent && attempts > 0 &&
            client.value > 0) {
            found.client = client;
        }
        const bool has_client = found.client != ClientId{} || !is_recent;
        return (found.message != MessageId{} && has_client) || ++looked_at >= reply_candidates_max;
    };
    writer.hashes.find(HashKind::recipient, recipient_hash(s.from), s.received_at - reply_window,
                       answers);
    return found;
}

/// The message that a new one replaces: 3GPP TS 23.040 9.2.3.9, but for the service centre's
/// address, since operators send from several.
InboxId find_replaced(Connection& db, const InboundSegment& s) {
    if (s.pid < pid_replace_first || s.pid > pid_replace_last) {
        return {};
    }
    return db.scalar<InboxId>(
        "SELECT max(id) FROM inbox WHERE pid BETWEEN 65 AND 71 AND sim = ? AND pid = ? AND "
        "from_addr = ?",
        {}, s.sim, s.pid, s.from);
}

struct Release {
    bool incomplete = false;
    InboxId replaces = {};  ///< what was given out of it before
};

struct Inserted {
    ports::InboxRow row = {};
    StopHeard stop = StopHeard::none;
    ClientId answers = {};
};

Inserted insert_inbox(Writer& writer, std::span<const InboundSegment> segments,
                      const Release& release) {
    const InboundSegment& first = segments.front();
    const bool undecodable = first.kind == InboundKind::undecodable;
    const Answered answered = find_answered(writer, first);
    ports::InboxRow row{
        .id = InboxId{writer.ledger.next_number()},
        .from = first.from,
        .to = first.own_number,
        .modem = first.modem,
        .content = undecodable ? InboundText{.data = first.raw, .is_data = true}
                               : writer.rules.join_segments(segments),
        .scts_text = first.scts_text,
        .received_at = std::ranges::max(segments, {}, &InboundSegment::received_at).received_at,
        .segments = first.concat ? first.concat->total : std::uint8_t{1},
        .incomplete = release.incomplete,
        .undecodable = undecodable,
        // One part that is surely new makes the message a new one.
        .maybe_repeat = std::ranges::all_of(segments, &InboundSegment::maybe_repeat),
        .message_class = first.message_class,
        .ports = first.ports,
        .waiting = first.waiting,
        .replaces =
            release.replaces != InboxId{} ? release.replaces : find_replaced(writer.db, first),
        .reply_to = shown_id(writer.db, answered.message)};
    const auto insert = [&](const auto& content) {
        writer.db.run(
            "INSERT INTO inbox (id, from_addr, to_addr, modem, sim, content, scts_text, "
            "received_at, segments, incomplete, undecodable, class, reply_to, pid, ports, waiting, "
            "replaces, maybe_repeat) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            row.id, row.from, row.to, row.modem, first.sim, content, row.scts_text, row.received_at,
            row.segments, row.incomplete, row.undecodable, row.message_class, row.reply_to,
            first.pid, stored(row.ports), stored(row.waiting), row.replaces, row.maybe_repeat);
    };
    note_received(writer, row.from, row.id);
    StopHeard stop = StopHeard::none;
    if (row.content.is_data) {
        insert(Octets{row.content.data});
    } else {
        insert(row.content.text);
        if (!row.incomplete) {
            stop = heed_wish(writer, first, row.content.text,
                             {.at = row.received_at, .inbox = row.id});
        }
    }
    return {.row = std::move(row), .stop = stop, .answers = answered.client};
}

struct Assembly {
    std::int64_t id = 0;
    InboxId replaces = {};
};

/// What its listeners and the caller receive.
InboundKept tell_received(Writer& writer, Inserted inserted, WallTime at) {
    const InboxId id = inserted.row.id;
    writer.history.received(inserted.row.modem);
    writer.ledger.append_received(at, std::move(inserted.row), inserted.answers);
    return {.stop = inserted.stop, .inbox = id};
}

InboundKept release(Writer& writer, const Assembly& assembly,
                    std::span<const InboundSegment> segments, WallTime at) {
    const InboundSegment& first = segments.front();
    const bool incomplete = first.concat && segments.size() < first.concat->total;
    Inserted inserted =
        insert_inbox(writer, segments, {.incomplete = incomplete, .replaces = assembly.replaces});
    const auto ref = first.concat ? std::optional(first.concat->ref) : std::nullopt;
    writer.db.run(
        "UPDATE inbound_segments SET inbox = ? WHERE inbox IS NULL AND sim = ? AND from_addr = ? "
        "AND ref IS ? AND assembly = ?",
        inserted.row.id, first.sim, first.from, ref, assembly.id);
    return tell_received(writer, std::move(inserted), at);
}

/// One that waits for no other.
InboundKept keep_whole(Writer& writer, InboundSegment segment) {
    segment.concat.reset();  // if it says anything, then nonsense
    Inserted inserted = insert_inbox(writer, std::span(&segment, 1), {});
    insert_segment(writer, segment, {.inbox = inserted.row.id});
    return tell_received(writer, std::move(inserted), segment.received_at);
}

/// Gives the message that it made whole; 0: others are missing. A late part brings back what was given out without it.
InboundKept keep_part(Writer& writer, const InboundSegment& segment) {
    const auto joins = find_assembly(writer, segment);
    const InboxId given_out = joins ? joins->given_out : InboxId{};
    if (given_out != InboxId{}) {
        writer.db.run("UPDATE inbound_segments SET inbox = NULL WHERE inbox = ?", given_out);
    }
    const std::int64_t assembly = insert_segment(
        writer, segment, {.concat = segment.concat, .assembly = joins ? joins->id : 0});
    const auto segments = load_assembly(writer.db, assembly);
    SMSRACK_CHECK(!segments.empty());
    if (segments.size() < segment.concat->total && given_out == InboxId{}) {
        return {};
    }
    return release(writer, {.id = assembly, .replaces = given_out}, segments, segment.received_at);
}

}  // namespace

InboundKept apply(Writer& writer, const ports::KeepInbound& command) {
    const InboundSegment& arrived = command.segment;
    const KeptRows kept = kept_segments(writer.db, arrived);
    const ports::Judgement judged =
        writer.rules.judge_segment(arrived, kept.before, writer.settings.repeat_window);
    if (judged.is == ports::Arrival::repeat) {
        return {.duplicate = true,
                .inbox = hold_segment_again(writer.db, kept.ids[judged.of], arrived)};
    }
    InboundSegment segment = arrived;
    segment.maybe_repeat = judged.is == ports::Arrival::maybe_repeat;
    clear_place(writer.db, segment.sim, segment.held_at);
    if (is_silent(segment)) {
        insert_segment(writer, segment, {.inbox = in_none_for_ever});
        return {.discarded = true};
    }
    if (const auto own = arrived_self_sms(writer, segment)) {
        insert_segment(writer, segment, {.inbox = in_none_for_ever});
        return {.duplicate = own->again,
                .self_sms = own->again ? std::nullopt : std::optional(own->took)};
    }
    const bool maybe_repeat = segment.maybe_repeat;
    InboundKept result =
        is_part(segment) ? keep_part(writer, segment) : keep_whole(writer, std::move(segment));
    result.maybe_repeat = maybe_repeat;
    return result;
}

std::size_t apply(Writer& writer, const ports::ReleaseIncomplete& command) {
    const auto assemblies = writer.db.column<std::int64_t>(
        "SELECT assembly FROM inbound_segments WHERE inbox IS NULL GROUP BY assembly HAVING "
        "max(received_at) < ? ORDER BY assembly LIMIT ?",
        command.before, command.limit);
    for (const std::int64_t assembly : assemblies) {
        (void)release(writer, {.id = assembly}, load_assembly(writer.db, assembly),
                      writer.clock.wall());
    }
    return assemblies.size();
}

}  // namespace smsrack::db
