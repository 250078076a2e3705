#include "db/write/opt_outs.hpp"

#include "src/sms/address.hpp"

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
    return add_opt_out(writer.db, {.number = command.number, .at = command.at});
}

bool apply(Writer& writer, const ports::OptIn& command) {
    return remove_opt_out(writer.db, command.number);
}

bool add_opt_out(Connection& db, const ports::OptOutRow& row) {
    if (find_opt_out(db, row.number)) {
        return false;
    }
    db.run("INSERT INTO opt_outs (number, tail, at, inbox) VALUES (?, ?, ?, ?)", row.number,
           tail_of(row.number), row.at, row.inbox);
    return true;
}

bool remove_opt_out(Connection& db, const std::string& number) {
    bool any = false;
    while (const auto row = find_opt_out(db, number)) {
        db.run("DELETE FROM opt_outs WHERE number = ?", row->number);
        any = true;
    }
    return any;
}

}  // namespace smsrack::db
