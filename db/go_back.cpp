#include "db/go_back.hpp"

#include "db/backup.hpp"
#include "db/connection.hpp"
#include "db/going_back.hpp"
#include "db/sync_folder.hpp"
#include "src/base/time_text.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::db {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> failed(const fs::path& file) {
    return fail(Errc::storage, file.string() + ": " + std::generic_category().message(errno),
                errno);
}

fs::path beside(const fs::path& database, const std::string& ending) {
    fs::path name = database;
    return name += ending;
}

/// A name that is free; the clock of a box may say the same time twice.
fs::path newer_name(const fs::path& database, WallTime now) {
    constexpr std::size_t seconds_end = 19;
    std::string stamp = time_text(now).substr(0, seconds_end) + "Z";
    std::erase(stamp, '-');
    std::erase(stamp, ':');
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

/// What a run left that ended between the exchange and the new name is the newer database; else it is a copy.
Result<> clear(const fs::path& place, const fs::path& copy, const fs::path& name) {
    std::error_code error;
    if (!fs::exists(place, error)) {
        return {};
    }
    const auto left = schema_of(place);
    const auto of_copy = schema_of(copy);
    if (left && of_copy && left->version > of_copy->version) {
        fs::rename(place, name, error);
    } else {
        fs::remove(place, error);
    }
    return error ? fail(Errc::storage, place.string() + ": " + error.message()) : Result<>();
}

/// A copy of `copy` at `place`; true: there was no room for it, and `copy` itself is there now, under both names.
Result<bool> put_beside(const fs::path& copy, const fs::path& place) {
    const auto made = backup(copy, place, {});
    if (made) {
        return false;
    }
    std::error_code not_linked;
    if (made.error().code == Errc::storage) {
        fs::create_hard_link(copy, place, not_linked);
        if (!not_linked) {
            return true;
        }
    }
    return std::unexpected(made.error());
}

/// The present one has its new name. What is under two names must not stay so: the service is about to write to it.
Result<> end_exchange(const fs::path& place, const fs::path& name, const fs::path* also) {
    if (::rename(place.c_str(), name.c_str()) != 0 ||
        (also != nullptr && ::unlink(also->c_str()) != 0)) {
        return failed(name);
    }
    // Its days beside the database begin: see forget_kept().
    if (::utimensat(AT_FDCWD, name.c_str(), nullptr, 0) != 0) {
        return failed(name);
    }
    if (!sync_folder_of(name)) {
        return failed(name);
    }
    return {};
}

}  // namespace

Result<fs::path> go_back(const fs::path& database, const fs::path& copy, WallTime now) {
    const fs::path place = beside(database, ".going-back");
    if (auto cleared = clear(place, copy, newer_name(database, now)); !cleared) {
        return std::unexpected(std::move(cleared.error()));
    }
    if (auto closed = close_log(database); !closed) {
        return std::unexpected(std::move(closed.error()));
    }
    const auto itself = put_beside(copy, place);
    if (!itself) {
        return std::unexpected(itself.error());
    }
    if (auto owned = own_as(place, database); !owned) {
        return std::unexpected(std::move(owned.error()));
    }
    if (::renameat2(AT_FDCWD, place.c_str(), AT_FDCWD, database.c_str(), RENAME_EXCHANGE) != 0) {
        return failed(database);
    }
    const fs::path name = newer_name(database, now);
    if (auto ended = end_exchange(place, name, *itself ? &copy : nullptr); !ended) {
        return std::unexpected(std::move(ended.error()));
    }
    return name;
}

}  // namespace smsrack::db
