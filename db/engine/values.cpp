#include "db/engine/values.hpp"

#include <sqlite3.h>

namespace smsrack::db {

// A place out of range would be our own bug and is caught by the first test that runs the
// statement. Text and octets are copied (SQLITE_TRANSIENT): a statement outlives its arguments in
// the cache.

void bind_integer(sqlite3_stmt& statement, int place, std::int64_t value) {
    sqlite3_bind_int64(&statement, place, value);
}

void bind_null(sqlite3_stmt& statement, int place) {
    sqlite3_bind_null(&statement, place);
}

void bind_text(sqlite3_stmt& statement, int place, std::string_view text) {
    sqlite3_bind_text64(&statement, place, text.empty() ? "" : text.data(), text.size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
}

void bind_octets(sqlite3_stmt& statement, int place, std::string_view octets) {
    sqlite3_bind_blob64(&statement, place, octets.empty() ? "" : octets.data(), octets.size(),
                        SQLITE_TRANSIENT);
}

std::int64_t read_integer(sqlite3_stmt& statement, int column) {
    return sqlite3_column_int64(&statement, column);
}

bool read_is_null(sqlite3_stmt& statement, int column) {
    return sqlite3_column_type(&statement, column) == SQLITE_NULL;
}

std::string_view read_bytes(sqlite3_stmt& statement, int column) {
    const void* const bytes = sqlite3_column_blob(&statement, column);
    const int size = sqlite3_column_bytes(&statement, column);
    return bytes == nullptr
               ? std::string_view{}
               : std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

}  // namespace smsrack::db
