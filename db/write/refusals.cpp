#include "db/write/refusals.hpp"

#include <utility>

namespace smsrack::db {
namespace {

/// Callers that may use any name could make a row for each: beyond the bound they have one together.
bool may_have_row(Connection& db, std::int64_t day, const ports::RefusalCount& refusal) {
    return refusal.client.empty() ||
           db.scalar<bool>(
               "SELECT EXISTS (SELECT 1 FROM refusals WHERE day = ?1 AND client = ?2 AND owner = "
               "?3 AND rule = ?4) OR (SELECT count(*) FROM refusals WHERE day = ?1) < ?5",
               false, day, std::string_view(refusal.client), refusal.owner,
               std::string_view(refusal.rule), ports::refusal_rows_a_day);
}

void add(Connection& db, const ports::RefusalCount& refusal) {
    const std::int64_t day = ports::day_of(refusal.first_at);
    const bool is_own = may_have_row(db, day, refusal);
    db.run(
        "INSERT INTO refusals (day, client, owner, rule, count, first_at, last_at) VALUES (?, ?, "
        "?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count, first_at = "
        "min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)",
        day, std::string_view(is_own ? refusal.client : std::string()),
        is_own ? refusal.owner : OwnerId{}, std::string_view(refusal.rule), refusal.count,
        refusal.first_at, refusal.last_at);
}

}  // namespace

void apply(Writer& writer, const ports::NoteRefusals& command) {
    for (const ports::RefusalCount& refusal : command.refusals) {
        add(writer.db, refusal);
    }
    writer.db.run(
        "DELETE FROM refusals WHERE (day, client, owner, rule) IN (SELECT day, client, owner, rule "
        "FROM refusals ORDER BY day LIMIT max(0, (SELECT count(*) FROM refusals) - ?))",
        ports::refusal_rows_max);
}

std::vector<ports::RefusalCount> list_refusals(Connection& db, const std::string& client,
                                               std::size_t limit) {
    const auto read = [](const Rows& row) {
        ports::RefusalCount r;
        row.read(r.client, r.owner, r.rule, r.count, r.first_at, r.last_at);
        return r;
    };
    return db.all(read,
                  "SELECT client, owner, rule, count, first_at, last_at FROM refusals WHERE client "
                  "= ? ORDER BY day DESC, rule, owner LIMIT ?",
                  client, limit);
}

std::map<std::string, std::int64_t> sum_refusals(Connection& db) {
    const auto read = [](const Rows& row) {
        std::pair<std::string, std::int64_t> sum;
        row.read(sum.first, sum.second);
        return sum;
    };
    const auto sums =
        db.all(read, "SELECT client, sum(count) FROM refusals WHERE client <> '' GROUP BY client");
    return {sums.begin(), sums.end()};
}

std::size_t remove_refusals(Connection& db, WallTime before, std::size_t limit) {
    db.run(
        "DELETE FROM refusals WHERE (day, client, owner, rule) IN (SELECT day, client, owner, rule "
        "FROM refusals WHERE day < ? ORDER BY day LIMIT ?)",
        ports::day_of(before), limit);
    return static_cast<std::size_t>(db.changed_rows());
}

}  // namespace smsrack::db
