#include "tests/days/ledger.hpp"

#include <sqlite3.h>

#include <memory>
#include <stdexcept>

namespace smsrack::days {

std::int64_t Row::number(int column) const {
    return sqlite3_column_int64(statement_, column);
}

std::string Row::text(int column) const {
    const auto* text = sqlite3_column_text(statement_, column);
    return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

std::string Row::octets(int column) const {
    const auto* octets = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return octets == nullptr ? std::string() : std::string(octets, size);
}

Ledger::Ledger(const std::filesystem::path& file) {
    if (sqlite3_open_v2(file.c_str(), &db_, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) {
        const std::string why = sqlite3_errmsg(db_);
        sqlite3_close(db_);
        throw std::runtime_error(file.string() + ": " + why);
    }
    // It only reads; but a reader that was the last to close would write back the log of another.
    sqlite3_exec(db_, "PRAGMA query_only = 1; PRAGMA wal_autocheckpoint = 0", nullptr, nullptr,
                 nullptr);
}

Ledger::~Ledger() {
    for (const auto& [sql, statement] : statements_) {
        sqlite3_finalize(statement);
    }
    sqlite3_close(db_);
}

sqlite3_stmt* Ledger::prepared(const std::string& sql) const {
    const auto [found, is_new] = statements_.try_emplace(sql, nullptr);
    if (is_new && sqlite3_prepare_v2(db_, sql.c_str(), -1, &found->second, nullptr) != SQLITE_OK) {
        throw std::runtime_error(sql + ": " + sqlite3_errmsg(db_));
    }
    return found->second;
}

void Ledger::each(const std::string& sql, const std::vector<std::int64_t>& values,
                  const std::function<void(const Row&)>& row) const {
    sqlite3_stmt* const statement = prepared(sql);
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> asked(statement, sqlite3_reset);
    for (std::size_t i = 0; i < values.size(); ++i) {
        sqlite3_bind_int64(statement, static_cast<int>(i) + 1, values[i]);
    }
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        row(Row(statement));
    }
    if (code != SQLITE_DONE) {
        throw std::runtime_error(sql + ": " + sqlite3_errmsg(db_));
    }
}

std::int64_t Ledger::number(const std::string& sql, const std::vector<std::int64_t>& values) const {
    std::int64_t found = 0;
    each(sql, values, [&found](const Row& row) { found = row.number(0); });
    return found;
}

}  // namespace smsrack::days
