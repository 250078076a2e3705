#include "db/upkeep/before_migration.hpp"

#include "db/upkeep/backup.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <system_error>

namespace smsrack::db {
namespace {

namespace fs = std::filesystem;

constexpr const char* name_begins = "before-migration-";
constexpr const char* put_aside = ".newer-";  // by go_back()
constexpr std::chrono::days kept_for{30};
constexpr std::uintmax_t mebi = std::uintmax_t{1024} * 1024;
constexpr std::uintmax_t reserve = 32 * mebi;  // for the migration, and messages that come after it

/// All files next to the database whose names begin so, copies that were not ended too.
std::vector<fs::path> files_beside(const fs::path& database, std::string_view begins) {
    std::vector<fs::path> files;
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator(database.parent_path(), unreadable)) {
        if (entry.path().filename().string().starts_with(begins)) {
            files.push_back(entry.path());
        }
    }
    return files;
}

Result<> room_for(const fs::path& database) {
    std::error_code no_size;
    std::error_code no_space;
    const auto size = fs::file_size(database, no_size);
    const auto space = fs::space(database.parent_path(), no_space);
    if (no_size || no_space) {
        return {};  // the copy itself tells
    }
    auto room = room_to_keep(size, space.available);
    if (!room) {
        room.error().context += " in " + database.parent_path().string();
    }
    return room;
}

}  // namespace

fs::path before_migration_file(const fs::path& database, int version) {
    return fs::path(database).replace_filename(fmt::format("{}{}.db", name_begins, version));
}

std::vector<fs::path> before_migration_files(const fs::path& database) {
    std::vector<fs::path> files = files_beside(database, name_begins);
    std::erase_if(files, [](const fs::path& file) { return file.extension() != ".db"; });
    return files;
}

Result<> room_to_keep(std::uintmax_t database, std::uintmax_t available) {
    const std::uintmax_t needed = database + reserve;
    if (available >= needed) {
        return {};
    }
    return fail(Errc::storage, fmt::format("the database is kept as it is before it is brought to "
                                           "a new version: {} MiB are needed, {} are free",
                                           needed / mebi, available / mebi));
}

Result<> keep_before_migration(const fs::path& database, int version) {
    const fs::path kept = before_migration_file(database, version);
    if (auto room = room_for(database); !room) {
        return room;
    }
    if (const auto copied = backup(database, kept, {}); !copied) {
        return std::unexpected(copied.error());
    }
    for (const fs::path& file : files_beside(database, name_begins)) {
        std::error_code stays;
        if (file != kept) {
            fs::remove(file, stays);
        }
    }
    return {};
}

void forget_kept(const fs::path& database, WallTime now) {
    std::vector<fs::path> files = files_beside(database, name_begins);
    std::ranges::move(files_beside(database, database.filename().string() + put_aside),
                      std::back_inserter(files));
    for (const fs::path& file : files) {
        std::error_code unknown;
        const auto written = std::chrono::file_clock::to_sys(fs::last_write_time(file, unknown));
        if (file.extension() == ".partial" || (!unknown && written + kept_for < now)) {
            fs::remove(file, unknown);
        }
    }
}

}  // namespace smsrack::db
