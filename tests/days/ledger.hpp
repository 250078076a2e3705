/// Reads a database in SQL: an auditor's view, independent of all queries of the service.
///
/// Threads: one.
/// Errors:  throws std::runtime_error, since nothing of a simulation makes sense without it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace smsrack::days {

class Row {
public:
    explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
    [[nodiscard]] std::int64_t number(int column) const;
    [[nodiscard]] std::string text(int column) const;    ///< empty for NULL
    [[nodiscard]] std::string octets(int column) const;  ///< of a text or a blob, zeros too

private:
    sqlite3_stmt* statement_;
};

class Ledger {
public:
    explicit Ledger(const std::filesystem::path& file);
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;
    ~Ledger();

    /// Each row of the answer, in its order.
    void each(const std::string& sql, const std::vector<std::int64_t>& values,
              const std::function<void(const Row&)>& row) const;
    /// The first column of the only row.
    [[nodiscard]] std::int64_t number(const std::string& sql,
                                      const std::vector<std::int64_t>& values = {}) const;

private:
    [[nodiscard]] sqlite3_stmt* prepared(const std::string& sql) const;

    sqlite3* db_ = nullptr;
    mutable std::map<std::string, sqlite3_stmt*> statements_;
};

}  // namespace smsrack::days
