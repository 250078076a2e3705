#include "db/backup.hpp"

#include "db/connection.hpp"
#include "db/migrate.hpp"
#include "db/sync_folder.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
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

/// Made empty first, so that the texts in it are nobody else's to read.
Result<> make_private(const std::filesystem::path& file) {
    const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return refused(file);
    }
    close(descriptor);
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
    return guarded([&]() -> Result<> {
        from.script("BEGIN; SELECT sequence FROM head;");  // the snapshot: later commits do not
                                                           // make the copy begin anew
        copy_pages(from, **to, progress);
        from.roll_back();
        return {};
    });
}

Result<> put_in_place(const std::filesystem::path& partial,
                      const std::filesystem::path& destination) {
    const int descriptor = open(partial.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (!synced || rename(partial.c_str(), destination.c_str()) != 0 ||
        !sync_folder_of(destination)) {
        return refused(destination);
    }
    return {};
}

Result<> make_copy(const std::filesystem::path& database, const std::filesystem::path& partial,
                   const std::function<void(BackupProgress)>& progress) {
    auto from = Connection::open(database, {.read_only = true});
    if (!from) {
        return std::unexpected(std::move(from.error()));
    }
    if (const auto known = known_version(**from, migrations()); !known) {
        return std::unexpected(known.error());
    } else if (*known == 0) {
        return fail(Errc::damaged_database, "the database is empty");
    }
    if (auto made = make_private(partial); !made) {
        return made;
    }
    return copy_snapshot(**from, partial, progress);
}

}  // namespace

Result<std::uintmax_t> backup(const std::filesystem::path& database,
                              const std::filesystem::path& destination,
                              const std::function<void(BackupProgress)>& progress) {
    std::filesystem::path partial = destination;
    partial += ".partial";
    auto copied = make_copy(database, partial, progress);
    if (copied) {
        copied = put_in_place(partial, destination);
    }
    std::error_code ignored;
    if (!copied) {
        std::filesystem::remove(partial, ignored);
        return std::unexpected(std::move(copied.error()));
    }
    return std::filesystem::file_size(destination, ignored);
}

}  // namespace smsrack::db
