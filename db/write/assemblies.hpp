/// Messages of several parts that are not whole.
///
/// Bound:   parts_max parts of one sender and reference are looked at, the newest ones: a sender that
///          never completes a message does not make receiving slow.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"

#include <cstdint>
#include <vector>

namespace smsrack::db {

struct OpenAssembly {
    std::int64_t id = 0;     ///< inbound_segments.assembly
    InboxId given_out = {};  ///< as this incomplete message; 0: it still waits
    ports::AssemblyCandidate candidate = {};
};

/// Those of the part's sender, SIM, reference and length with a part that came within
/// SqliteStoreSettings::concat_window; oldest first.
[[nodiscard]] std::vector<OpenAssembly> open_assemblies(Writer& writer, const InboundSegment& part);

}  // namespace smsrack::db
