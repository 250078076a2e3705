#include "db/write/opt_outs.hpp"

#include "db/write/fleet_rules.hpp"
#include "src/sms/address.hpp"

#include <algorithm>

namespace smsrack::db {
namespace {

constexpr std::size_t tail_length = 7;  // what same_subscriber() asks for at least

std::string_view tail_of(std::string_view number) {
    return number.substr(number.size() - std::min(number.size(), tail_length));
}

/// Two international numbers are whole: who has the same last digits in another country is another person. One without its
/// country may be either's.
bool is_same(std::string_view a, std::string_view b) {
    return a.starts_with('+') && b.starts_with('+') ? a == b : same_subscriber(a, b);
}

ports::OptOutRow read_row(const Rows& rows) {
    ports::OptOutRow row;
    rows.read(row.number, row.at, row.inbox);
    return row;
}

}  // namespace

std::optional<ports::OptOutRow> find_opt_out(Connection& db, std::string_view number) {
    Rows rows = db.query("SELECT number, at, inbox FROM opt_outs WHERE tail = ?", tail_of(number));
    while (rows.next()) {
        ports::OptOutRow row = read_row(rows);
        if (is_same(row.number, number)) {
            return row;
        }
    }
    return std::nullopt;
}

std::vector<ports::OptOutRow> list_opt_outs(Connection& db, const std::string& after,
                                            std::size_t limit) {
    return db.all(read_row,
                  "SELECT number, at, inbox FROM opt_outs WHERE number > ? ORDER BY number LIMIT ?",
                  after, limit);
}

bool apply(Writer& writer, const ports::OptOut& command) {
    return opt_out(writer, {.number = command.number, .at = command.at});
}

bool apply(Writer& writer, const ports::OptIn& command) {
    return opt_in(writer, command.number, writer.clock.wall(), true);
}

bool add_opt_out(Connection& db, const ports::OptOutRow& row) {
    if (find_opt_out(db, row.number)) {
        return false;
    }
    db.run("INSERT INTO opt_outs (number, tail, at, inbox) VALUES (?, ?, ?, ?)", row.number,
           tail_of(row.number), row.at, row.inbox);
    return true;
}

std::vector<std::string> remove_opt_out(Connection& db, const std::string& number) {
    std::vector<std::string> removed;
    while (auto row = find_opt_out(db, number)) {
        db.run("DELETE FROM opt_outs WHERE number = ?", row->number);
        removed.push_back(std::move(row->number));
    }
    return removed;
}

bool opt_out(Writer& writer, const ports::OptOutRow& row) {
    tell_fleet(writer, {.kind = ports::RuleKind::opt_out, .name = row.number, .at = row.at});
    return add_opt_out(writer.db, row);
}

bool opt_in(Writer& writer, const std::string& number, WallTime at, bool tells_always) {
    const auto removed = remove_opt_out(writer.db, number);
    auto told = removed;  // the engine compares numbers as they are written
    if (tells_always && std::ranges::find(told, number) == told.end()) {
        told.push_back(number);
    }
    for (std::string& name : told) {
        tell_fleet(
            writer,
            {.kind = ports::RuleKind::opt_out, .name = std::move(name), .holds = false, .at = at});
    }
    return !removed.empty();
}

}  // namespace smsrack::db
