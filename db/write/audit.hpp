/// The rows of what administrators did.
///
/// Threads: the writing thread; AuditQueries: one thread at a time.
/// Errors:  StorageFailure (inside db) from the writes.
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/audit_store.hpp"

#include <cstddef>

namespace smsrack::db {

void apply(Writer& writer, const ports::KeepAudit& command);

/// Gives how many of the `limit` oldest were from before `before`, and are removed.
std::size_t remove_audit(Connection& db, WallTime before, std::size_t limit);

class AuditQueries final : public ports::AuditReader {
public:
    /// `connection` outlives it.
    explicit AuditQueries(Connection& connection) : db_(connection) {}

    [[nodiscard]] Result<std::vector<ports::AuditRow>> audit(
        const ports::AuditFilter& filter) override;

private:
    Connection& db_;
};

}  // namespace smsrack::db
