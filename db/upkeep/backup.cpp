#include "db/upkeep/backup.hpp"

#include "db/engine/connection.hpp"
#include "db/engine/migrate.hpp"
#include "db/engine/sync_folder.hpp"
#include "db/upkeep/trusted_place.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::db {
namespace {

constexpr int pages_per_step = 1024;  // 4 MiB between two words of progress

struct EndBackup {
    void operator()(sqlite3_backup* backup) const { sqlite3_backup_finish(backup); }
};

/// As SQLite says it; SQLite has no other word for what the system refused.
std::unexpected<Error> refused(const std::filesystem::path& file) {
    const bool full = errno == ENOSPC || errno == EDQUOT;
    return fail(Errc::storage,
                fmt::format("{}: {}", file.string(), std::generic_category().message(errno)),
                full ? SQLITE_FULL : SQLITE_IOERR);
}

/// A half copy that an earlier call left; nothing of anyone else's.
bool is_own_rest(const std::filesystem::path& file) {
    struct stat about {};
    return ::lstat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
           about.st_uid == ::geteuid() && about.st_nlink == 1;
}

/// Creates the file empty, with mode 0600: no other account can read the texts that follow.
Result<> make_private(const std::filesystem::path& file) {
    if (is_own_rest(file)) {
        (void)::unlink(file.c_str());
    }
    const int descriptor =
        open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return refused(file);
    }
    close(descriptor);
    return {};
}

std::unexpected<Error> taken(const std::filesystem::path& file) {
    return fail(Errc::conflict,
                file.string() + " is there already, and is left as it is; name another file");
}

/// Where nothing is, and no other account can put anything.
Result<> check_chosen(const std::filesystem::path& destination) {
    struct stat about {};
    if (::lstat(destination.c_str(), &about) == 0) {
        return taken(destination);
    }
    std::error_code error;
    const auto folder = std::filesystem::canonical(
        destination.has_parent_path() ? destination.parent_path() : ".", error);
    if (error) {
        return fail(Errc::storage, destination.string() + ": " + error.message(), error.value());
    }
    if (auto why = changeable_way(folder, ::geteuid())) {
        return fail(Errc::forbidden, *std::move(why));
    }
    return {};
}

void copy_pages(Connection& from, Connection& to,
                const std::function<void(BackupProgress)>& progress) {
    const std::unique_ptr<sqlite3_backup, EndBackup> backup(
        sqlite3_backup_init(to.handle(), "main", from.handle(), "main"));
    int code = backup ? SQLITE_OK : sqlite3_extended_errcode(to.handle());
    while (code == SQLITE_OK) {
        code = sqlite3_backup_step(backup.get(), pages_per_step);
        if (progress && backup) {
            const int pages = sqlite3_backup_pagecount(backup.get());
            progress(
                {.pages_copied = pages - sqlite3_backup_remaining(backup.get()), .pages = pages});
        }
    }
    if (code != SQLITE_DONE) {
        throw StorageFailure{{.code = Errc::storage,
                              .detail = code,
                              .context = fmt::format("backup: {}", sqlite3_errstr(code))}};
    }
}

Result<> copy_snapshot(Connection& from, const std::filesystem::path& to_file,
                       const std::function<void(BackupProgress)>& progress) {
    auto to = Connection::open(to_file, {.journal = Journal::none});
    if (!to) {
        return std::unexpected(std::move(to.error()));
    }
    // The snapshot: later commits do not make the copy begin again.
    from.script("BEGIN; SELECT sequence FROM head;");
    copy_pages(from, **to, progress);
    from.roll_back();
    return {};
}

/// renameat2() where the file system knows it; else a second name, which never replaces one either.
bool rename_to_free(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
        return true;
    }
    return errno == EINVAL && ::link(from.c_str(), to.c_str()) == 0 && ::unlink(from.c_str()) == 0;
}

Result<> put_in_place(const std::filesystem::path& partial,
                      const std::filesystem::path& destination, BackupPlace place) {
    const int descriptor = open(partial.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (!synced) {
        return refused(destination);
    }
    const bool named = place == BackupPlace::chosen
                           ? rename_to_free(partial, destination)
                           : ::rename(partial.c_str(), destination.c_str()) == 0;
    if (!named && errno == EEXIST) {
        return taken(destination);
    }
    if (!named || !sync_folder_of(destination)) {
        return refused(destination);
    }
    return {};
}

Result<> make_copy(const std::filesystem::path& database, const std::filesystem::path& partial,
                   const std::function<void(BackupProgress)>& progress) {
    return read_alone(database, [&](Connection& from) -> Result<> {
        const auto known = known_version(from, migrations());
        if (!known) {
            return std::unexpected(known.error());
        }
        if (*known == 0) {
            return fail(Errc::damaged_database, "the database is empty");
        }
        auto made = make_private(partial);
        return made ? copy_snapshot(from, partial, progress) : made;
    });
}

}  // namespace

Result<std::uintmax_t> backup(const std::filesystem::path& database,
                              const std::filesystem::path& destination,
                              const std::function<void(BackupProgress)>& progress,
                              BackupPlace place) {
    if (place == BackupPlace::chosen) {
        if (auto free = check_chosen(destination); !free) {
            return std::unexpected(std::move(free.error()));
        }
    }
    std::filesystem::path partial = destination;
    partial += ".partial";
    auto copied = make_copy(database, partial, progress);
    if (copied) {
        copied = put_in_place(partial, destination, place);
    }
    std::error_code ignored;
    if (!copied) {
        if (is_own_rest(partial)) {
            std::filesystem::remove(partial, ignored);
        }
        return std::unexpected(std::move(copied.error()));
    }
    return std::filesystem::file_size(destination, ignored);
}

}  // namespace smsrack::db
