#include "db/engine/connection.hpp"

#include "db/engine/lock_holder.hpp"

#include <sqlite3.h>

#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace smsrack::db {
namespace {

// How long SQLite itself waits for another connection's lock; only opening, recovery and
// checkpoints ever meet one.
constexpr int busy_timeout_ms = 5000;
// A log that grew behind a long reader (a backup) is cut back to this.
constexpr int log_bytes_kept = 16 * 1024 * 1024;
// A commit is on the disk when it returns.
constexpr const char* with_log = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";
// SQLite counts what it has of the heap behind a lock, which each of its allocations takes; nothing here asks. Before its first use, so before main().
[[maybe_unused]] const int is_not_counted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);

/// "; held by sleep (process 4711, uid 1002)", the processes that SQLite had to wait for; empty if they are not known.
std::string holders_of(sqlite3* handle) {
    const char* const name = handle == nullptr ? nullptr : sqlite3_db_filename(handle, "main");
    if (name == nullptr) {
        return {};
    }
    const std::string file = name;
    const std::array<std::filesystem::path, 3> files{file, file + "-shm", file + "-wal"};
    const std::string holders = lock_holders(files);
    return holders.empty() ? "" : "; held by " + holders;
}

Error error_of(int code, sqlite3* handle, const char* what) {
    const int primary = code & 0xFF;
    const bool damaged = primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
    const char* const words = handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle);
    return Error{.code = damaged ? Errc::damaged_database : Errc::storage,
                 .detail = code,
                 .context = fmt::format("{}: {}{}", what, words,
                                        primary == SQLITE_BUSY ? holders_of(handle) : "")};
}

/// An empty file is an empty database. Where it can't be made, opening says why.
void make_private(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
        close(descriptor);
    }
}

/// Each octet of the name that is anything in a URI is written as %XX (RFC 3986, 2.1).
std::string immutable_uri(const std::filesystem::path& path) {
    std::string uri = "file://";
    for (const char c : std::filesystem::absolute(path).string()) {
        if (c == '%' || c == '?' || c == '#') {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        } else {
            uri.push_back(c);
        }
    }
    return uri + "?immutable=1";
}

}  // namespace

bool has_log(const std::filesystem::path& database) {
    std::filesystem::path log = database;
    std::error_code error;
    const auto size = std::filesystem::file_size(log += "-wal", error);
    return error ? error != std::errc::no_such_file_or_directory : size > 0;
}

bool disk_is_full(const Error& failure) {
    return failure.code == Errc::storage && (failure.detail & 0xFF) == SQLITE_FULL;
}

bool has_no_room(const Error& failure) {
    return disk_is_full(failure) ||
           (failure.code == Errc::storage &&
            (failure.detail == SQLITE_IOERR_WRITE || failure.detail == SQLITE_IOERR_SHMSIZE ||
             failure.detail == SQLITE_IOERR_SHMOPEN));
}

bool may_be_kept_later(const Error& failure) {
    switch (failure.detail & 0xFF) {
        case SQLITE_FULL:
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL:
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_NOMEM:
            return true;
        case SQLITE_IOERR:
            return failure.detail != SQLITE_IOERR_READ &&
                   failure.detail != SQLITE_IOERR_SHORT_READ &&
                   failure.detail != SQLITE_IOERR_DATA && failure.detail != SQLITE_IOERR_CORRUPTFS;
        default:
            return false;
    }
}

bool may_be_read_again(const Error& failure) {
    return (failure.detail & 0xFF) == SQLITE_IOERR && !may_be_kept_later(failure);
}

bool is_locked(const Error& failure) {
    const int primary = failure.detail & 0xFF;
    return failure.code == Errc::storage && (primary == SQLITE_BUSY || primary == SQLITE_LOCKED);
}

Error damage(const char* what) {
    return {.code = Errc::damaged_database, .detail = SQLITE_CORRUPT, .context = what};
}

Rows::~Rows() {
    sqlite3_reset(statement_);  // gives the error of next() once more: told already
}

bool Rows::next() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code != SQLITE_DONE) {
        throw StorageFailure{error_of(code, sqlite3_db_handle(statement_), "database")};
    }
    return false;
}

Result<std::unique_ptr<Connection>> Connection::open(const std::filesystem::path& path,
                                                     const ConnectionOptions& options) {
    if (options.may_create) {
        make_private(path);
    }
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) {
        return fail(unknown ? Errc::storage : Errc::not_found, path.string() + ": no database",
                    unknown.value());
    }
    sqlite3* handle = nullptr;
    const int how = options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    const std::string name = options.immutable ? immutable_uri(path) : path.string();
    const int uri = options.immutable ? SQLITE_OPEN_URI : 0;
    const int code =
        sqlite3_open_v2(name.c_str(), &handle,
                        how | uri | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, options.disk);
    std::unique_ptr<Connection> connection(new Connection(handle));
    if (code != SQLITE_OK) {
        return std::unexpected(error_of(code, handle, path.c_str()));
    }
    sqlite3_busy_timeout(handle, busy_timeout_ms);
    return guarded([&]() -> Result<std::unique_ptr<Connection>> {
        connection->prepare_for(options);
        return std::move(connection);
    });
}

void Connection::prepare_for(const ConnectionOptions& options) {
    script(fmt::format("PRAGMA cache_size = -{}; PRAGMA temp_store = MEMORY;", options.cache_kib));
    if (options.read_only) {
        return;
    }
    if (options.journal == Journal::none) {
        script("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
        return;
    }
    script(fmt::format("PRAGMA page_size = {}; {} PRAGMA journal_size_limit = {};", new_page_octets,
                       with_log, log_bytes_kept));
    watch_log();
}

Connection::~Connection() {
    for (const auto& [text, statement] : statements_) {
        sqlite3_finalize(statement);
    }
    sqlite3_close_v2(handle_);
}

void Connection::watch_log() {
    // Takes the place of SQLite's automatic checkpoint, which would run inside the commit.
    sqlite3_wal_hook(
        handle_,
        [](void* self, sqlite3*, const char*, int pages) {
            auto& connection = *static_cast<Connection*>(self);
            connection.log_pages_ = pages;
            ++connection.log_writes_;
            return SQLITE_OK;
        },
        this);
}

sqlite3_stmt* Connection::prepared(Sql sql) {
    const auto [entry, fresh] = statements_.try_emplace(sql.text, nullptr);
    if (fresh) {
        const int code = sqlite3_prepare_v3(handle_, sql.text, -1, SQLITE_PREPARE_PERSISTENT,
                                            &entry->second, nullptr);
        if (code != SQLITE_OK) {
            statements_.erase(entry);
            throw StorageFailure{error_of(code, handle_, "prepare")};
        }
    }
    return entry->second;
}

void Connection::script(const std::string& sql) {
    const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        throw StorageFailure{error_of(code, handle_, "database")};
    }
}

std::int64_t Connection::changed_rows() const {
    return sqlite3_changes64(handle_);
}

std::int64_t Connection::all_changes() const {
    return sqlite3_total_changes64(handle_);
}

bool Connection::is_read_only() const {
    return sqlite3_db_readonly(handle_, "main") == 1;
}

bool Connection::in_transaction() const {
    return sqlite3_get_autocommit(handle_) == 0;
}

void Connection::roll_back() noexcept {
    if (in_transaction()) {
        sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

void Connection::keep_log() noexcept {
    (void)sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

int Connection::page_octets() {
    return scalar<int>("PRAGMA page_size", 0);
}

bool Connection::rewrite_pages() {
    const auto tried = guarded([this]() -> Result<> {
        // Without a log, as SQLite asks for it; a journal keeps the pages that are replaced.
        sqlite3_busy_timeout(handle_, 0);
        script(fmt::format("PRAGMA journal_mode = DELETE; PRAGMA page_size = {}; VACUUM;",
                           new_page_octets));
        return {};
    });
    sqlite3_busy_timeout(handle_, busy_timeout_ms);
    script(with_log);
    return tried.has_value() && page_octets() == new_page_octets;
}

int Connection::checkpoint() noexcept {
    int in_log = 0;
    int copied = 0;
    const int code =
        sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, &in_log, &copied);
    return code == SQLITE_OK ? in_log - copied : -1;
}

}  // namespace smsrack::db
