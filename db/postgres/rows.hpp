/// What one statement gave: rows of text, or an error.
///
/// Threads: one. Views live as long as the object.
#pragma once

#include "db/postgres/pq_library.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::postgres {

class Rows {
public:
    /// Takes `result`, which is not null.
    Rows(const PqLibrary& pq, PGresult* result) : pq_(pq), result_(result, pq.clear) {}

    [[nodiscard]] bool is_error() const;
    /// Of an error: five characters; empty: libpq found it.
    [[nodiscard]] std::string_view sqlstate() const { return field(PG_DIAG_SQLSTATE); }
    /// Of an error or a notice, in English: "ERROR", "FATAL", "WARNING".
    [[nodiscard]] std::string_view severity() const { return field(PG_DIAG_SEVERITY_NONLOCALIZED); }
    [[nodiscard]] std::string_view message() const { return field(PG_DIAG_MESSAGE_PRIMARY); }

    [[nodiscard]] int size() const { return pq_.row_count(result_.get()); }
    [[nodiscard]] bool is_null(int row, int column) const {
        return pq_.is_null(result_.get(), row, column) != 0;
    }
    [[nodiscard]] std::string_view text(int row, int column) const;
    [[nodiscard]] std::string string(int row, int column) const {
        return std::string(text(row, column));
    }
    /// Of NULL: 0.
    [[nodiscard]] std::int64_t number(int row, int column) const;
    [[nodiscard]] bool flag(int row, int column) const { return text(row, column) == "t"; }
    /// Of an array of numbers.
    [[nodiscard]] std::vector<std::int64_t> numbers(int row, int column) const;

private:
    [[nodiscard]] std::string_view field(int code) const;

    const PqLibrary& pq_;
    std::unique_ptr<PGresult, void (*)(PGresult*)> result_;
};

}  // namespace smsrack::postgres
