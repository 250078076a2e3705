#include "db/write/assemblies.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace smsrack::db {
namespace {

constexpr int parts_max = 1'024;

/// By the incomplete message that it was given out as, then by its first part.
using Assemblies = std::map<std::pair<InboxId, std::int64_t>, OpenAssembly>;

/// An assembly of which only old parts are known is left out.
void add_parts(Rows rows, WallTime since, Assemblies& out) {
    Assemblies found;
    std::map<std::pair<InboxId, std::int64_t>, WallTime> newest;
    while (rows.next()) {
        std::int64_t assembly = 0;
        InboxId inbox;
        ports::AssemblyPart part;
        WallTime received_at;
        rows.read(assembly, inbox, part.seq, part.scts, received_at);
        const std::pair key(inbox, assembly);
        OpenAssembly& open = found[key];
        open.id = assembly;
        open.given_out = inbox;
        open.candidate.given_out = inbox != InboxId{};
        open.candidate.parts.push_back(part);
        newest[key] = std::max(newest[key], received_at);
    }
    for (auto& [key, open] : found) {
        if (newest[key] >= since) {
            out.emplace(key, std::move(open));
        }
    }
}

void add_waiting(Connection& db, const InboundSegment& s, WallTime since, Assemblies& out) {
    add_parts(
        db.query("SELECT assembly, 0, seq, scts, received_at FROM inbound_segments INDEXED BY "
                 "inbound_segments_waiting WHERE inbox IS NULL AND sim = ? AND from_addr = ? AND "
                 "ref = ? AND ref_bits = ? AND total = ? ORDER BY id DESC LIMIT ?",
                 s.sim, s.from, s.concat->ref, s.concat->ref_bits, s.concat->total, parts_max),
        since, out);
}

/// Given out incomplete, since its parts took too long.
void add_given_out(Connection& db, const InboundSegment& s, WallTime since, Assemblies& out) {
    add_parts(
        db.query("SELECT a.assembly, a.inbox, a.seq, a.scts, a.received_at FROM (SELECT * FROM "
                 "inbound_segments INDEXED BY inbound_segments_parts WHERE ref IS NOT NULL AND sim "
                 "= ? AND from_addr = ? AND ref = ? AND ref_bits = ? AND total = ? ORDER BY id "
                 "DESC LIMIT ?) a JOIN inbox i ON i.id = a.inbox AND i.incomplete = 1",
                 s.sim, s.from, s.concat->ref, s.concat->ref_bits, s.concat->total, parts_max),
        since, out);
}

}  // namespace

std::vector<OpenAssembly> open_assemblies(Writer& writer, const InboundSegment& part) {
    const WallTime since = part.received_at - writer.settings.concat_window;
    Assemblies found;
    add_waiting(writer.db, part, since, found);
    add_given_out(writer.db, part, since, found);
    std::vector<OpenAssembly> open;
    open.reserve(found.size());
    for (auto& [key, assembly] : found) {
        open.push_back(std::move(assembly));
    }
    std::ranges::sort(open, {}, &OpenAssembly::id);
    return open;
}

}  // namespace smsrack::db
