#include "db/upkeep/go_back.hpp"

#include "db/engine/connection.hpp"
#include "db/engine/sync_folder.hpp"
#include "db/upkeep/backup.hpp"
#include "db/upkeep/before_migration.hpp"
#include "db/upkeep/going_back.hpp"
#include "db/upkeep/set_aside.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace smsrack::db {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> failed(const fs::path& file) {
    return fail(Errc::storage, file.string() + ": " + std::generic_category().message(errno),
                errno);
}

/// A name that is free; the clock of a box may say the same time twice.
fs::path newer_name(const fs::path& database, WallTime now) {
    const std::string stamp = file_stamp(now);
    fs::path name = beside(database, ".newer-" + stamp);
    std::error_code ignored;
    for (int number = 2; fs::exists(name, ignored); ++number) {
        name = beside(database, fmt::format(".newer-{}-{}", stamp, number));
    }
    return name;
}

/// All of its log goes into the database itself, which then is one file.
Result<> close_log(const fs::path& database) {
    auto opened = Connection::open(database, {});
    if (!opened && has_no_room(opened.error()) && !has_log(database)) {
        return {};  // a disk may be so full that not even the index of a log fits on it
    }
    if (!opened) {
        return std::unexpected(std::move(opened.error()));
    }
    if ((*opened)->checkpoint() != 0) {
        return fail(Errc::busy, database.string() + ": is in use; end the service first");
    }
    opened->reset();
    std::error_code ignored;
    if (fs::exists(beside(database, "-wal"), ignored)) {
        return fail(Errc::busy, database.string() + ": is in use; end the service first");
    }
    return {};
}

/// The service must be able to use it as the one before.
Result<> own_as(const fs::path& file, const fs::path& model) {
    struct stat about {};
    if (::stat(model.c_str(), &about) != 0 ||
        ::chown(file.c_str(), about.st_uid, about.st_gid) != 0 ||
        ::chmod(file.c_str(), about.st_mode) != 0) {
        return failed(file);
    }
    return {};
}

/// Of a file without a log, to which no process writes.
Result<> is_whole(const fs::path& copy) {
    const auto opened = Connection::open(copy, {.read_only = true, .immutable = true});
    auto whole = opened ? whole_check(**opened) : std::unexpected(opened.error());
    if (!whole) {
        whole.error().context = copy.string() + " takes no place: " + whole.error().context;
    }
    return whole;
}

/// A copy of `copy` at `place`; where there is no room for it, `copy` itself is there, under both names. Never one that is not whole: what is
/// wrong with it the service would set aside, and begin with nothing.
Result<> put_beside(const fs::path& copy, const fs::path& place) {
    if (auto whole = is_whole(copy); !whole) {
        return whole;
    }
    const auto made = backup(copy, place, {});
    if (made) {
        return {};
    }
    if (std::error_code not_linked; has_no_room(made.error())) {
        fs::create_hard_link(copy, place, not_linked);
        if (!not_linked) {
            return {};
        }
    }
    return std::unexpected(made.error());
}

/// The one that was the database has its new name, and its days next to it begin: see forget_kept().
Result<> put_aside(const fs::path& place, const fs::path& name) {
    if (::utimensat(AT_FDCWD, place.c_str(), nullptr, 0) != 0 ||
        ::rename(place.c_str(), name.c_str()) != 0) {
        return failed(name);
    }
    return {};
}

/// A copy that never took the place; what took it before the power went is none.
bool is_copy(const fs::path& place, const std::vector<fs::path>& copies) {
    const auto left = schema_of(place);
    return left && std::ranges::any_of(copies, [&](const fs::path& copy) {
               const auto schema = schema_of(copy);
               return schema && schema->version == left->version;
           });
}

/// The service is about to write to the database: it must not be the copy as well.
Result<> drop_second_name(const fs::path& database, const std::vector<fs::path>& copies) {
    for (const fs::path& copy : copies) {
        std::error_code error;
        if (fs::equivalent(copy, database, error)) {
            fs::remove(copy, error);
        }
        if (error) {
            return fail(Errc::storage, copy.string() + ": " + error.message());
        }
    }
    return {};
}

}  // namespace

Result<> end_going_back(const fs::path& database, WallTime now) {
    const fs::path place = beside(database, ".going-back");
    const auto copies = before_migration_files(database);
    std::error_code error;
    if (!fs::exists(database, error)) {
        return {};
    }
    if (fs::exists(place, error)) {
        if (is_copy(place, copies)) {
            fs::remove(place, error);
        } else if (auto aside = put_aside(place, newer_name(database, now)); !aside) {
            return aside;
        }
    }
    for (const char* ending : {".partial", "-wal", "-shm"}) {
        std::error_code none;
        fs::remove(beside(place, ending), none);
    }
    if (error) {
        return fail(Errc::storage, place.string() + ": " + error.message());
    }
    if (auto dropped = drop_second_name(database, copies); !dropped) {
        return dropped;
    }
    return sync_folder_of(database) ? Result<>() : failed(database);
}

Result<fs::path> go_back(const fs::path& database, const fs::path& copy, WallTime now) {
    const fs::path place = beside(database, ".going-back");
    Result<> ready = end_going_back(database, now);
    ready = ready ? close_log(database) : ready;
    ready = ready ? put_beside(copy, place) : ready;
    ready = ready ? own_as(place, database) : ready;
    if (!ready) {
        return std::unexpected(std::move(ready.error()));
    }
    if (::renameat2(AT_FDCWD, place.c_str(), AT_FDCWD, database.c_str(), RENAME_EXCHANGE) != 0) {
        return failed(database);
    }
    fs::path name = newer_name(database, now);
    Result<> done = put_aside(place, name);
    done = done ? drop_second_name(database, {copy}) : done;
    if (!done) {
        return std::unexpected(std::move(done.error()));
    }
    if (!sync_folder_of(name)) {
        return failed(name);
    }
    return name;
}

}  // namespace smsrack::db
