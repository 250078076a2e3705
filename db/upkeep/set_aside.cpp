#include "db/upkeep/set_aside.hpp"

#include "src/base/time_text.hpp"

#include <sqlite3.h>

#include <fstream>

namespace smsrack::db {

std::filesystem::path beside(std::filesystem::path database, const std::string& ending) {
    return database += ending;
}

std::string file_stamp(WallTime at) {
    constexpr std::size_t seconds_end = 19;  // of "2026-01-01T12:00:00.000Z"
    std::string text = time_text(at).substr(0, seconds_end);
    std::erase(text, '-');
    std::erase(text, ':');
    return text + "Z";
}

Result<std::filesystem::path> set_aside(const std::filesystem::path& database, WallTime now) {
    std::filesystem::path name = beside(database, ".damaged-" + file_stamp(now));
    std::error_code error;
    for (const char* ending :
         {"-wal", "-shm", ""}) {  // the database last: it is what is looked for
        const std::filesystem::path from = beside(database, ending);
        if (!std::filesystem::exists(from, error)) {
            continue;
        }
        std::filesystem::rename(from, beside(name, ending), error);
        if (error) {
            return fail(Errc::storage, from.string() + ": can't be set aside: " + error.message(),
                        error.value());
        }
    }
    std::filesystem::remove(beside(database, ".suspect"), error);
    return name;
}

Result<> whole_check(Connection& db) {
    const auto answer = guarded([&]() -> Result<std::string> {
        return db.scalar<std::string>("PRAGMA quick_check(1)", "no answer");
    });
    if (!answer) {
        return std::unexpected(answer.error());
    }
    if (*answer != "ok") {
        return fail(Errc::damaged_database, "quick_check: " + *answer, SQLITE_CORRUPT);
    }
    return {};
}

Result<> quick_check(Connection& db, const std::filesystem::path& database,
                     std::uintmax_t whole_max) {
    std::error_code unknown;
    const auto mark = beside(database, ".suspect");
    const bool suspect = std::filesystem::exists(mark, unknown);
    if (std::filesystem::file_size(database, unknown) > whole_max && !suspect) {
        return {};
    }
    if (auto whole = whole_check(db); !whole) {
        return whole;
    }
    std::filesystem::remove(mark, unknown);
    return {};
}

void mark_suspect(const std::filesystem::path& database) noexcept {
    try {
        std::ofstream(beside(database, ".suspect")) << "damage was met while the service ran\n";
    } catch (const std::exception&) {
        return;  // then the next start reads less: no more is lost
    }
}

}  // namespace smsrack::db
