#include "db/write/audit.hpp"

namespace smsrack::db {

void apply(Writer& writer, const ports::KeepAudit& command) {
    const ports::AuditRow& row = command.row;
    writer.db.run("INSERT INTO audit (at, caller, call, status) VALUES (?, ?, ?, ?)", row.at,
                  std::string_view(row.caller), std::string_view(row.call), row.status);
    writer.db.run("DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?",
                  ports::audit_rows_max);
}

std::size_t remove_audit(Connection& db, WallTime before, std::size_t limit) {
    db.run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT "
        "?) WHERE at < ?)",
        limit, before);
    return static_cast<std::size_t>(db.changed_rows());
}

Result<std::vector<ports::AuditRow>> AuditQueries::audit(const ports::AuditFilter& filter) {
    const auto read = [](const Rows& row) {
        ports::AuditRow r;
        row.read(r.id, r.at, r.caller, r.call, r.status);
        return r;
    };
    return guarded([&] {
        return db_.all(read,
                       "SELECT id, at, caller, call, status FROM audit WHERE (?1 = 0 OR id < ?1) "
                       "AND (?2 IS NULL OR at >= ?2) ORDER BY id DESC LIMIT ?3",
                       filter.before, filter.since, filter.limit);
    });
}

}  // namespace smsrack::db
