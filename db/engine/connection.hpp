/// One SQLite connection, with its statements prepared once and kept.
///
/// Threads: one thread at a time.
/// Errors:  inside db a failing disk is thrown as StorageFailure, so that a transaction reads as
/// its steps; `guarded`
///          turns it into a Result at db's edges (a batch, a question, opening). Nothing outside db
///          sees it.
#pragma once

#include "db/engine/values.hpp"
#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace smsrack::db {

struct StorageFailure {
    Error error;
};

/// T as a Result; a Result as it is.
template <typename T>
struct AsResult {
    using Type = Result<T>;
};
template <typename T>
struct AsResult<Result<T>> {
    using Type = Result<T>;
};

/// What `work` gives, which may be a Result; a StorageFailure in it becomes the error.
template <typename Work>
[[nodiscard]] typename AsResult<std::invoke_result_t<Work>>::Type guarded(Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (StorageFailure& failure) {
        return std::unexpected(std::move(failure.error));
    }
}

/// The same may be kept when there is room again.
[[nodiscard]] bool disk_is_full(const Error& failure);

/// The same may be kept later: the disk takes no write now (full, failing, read-only, locked), or
/// memory is short. What cannot be read, and rows that contradict the write or each other, would
/// fail again.
[[nodiscard]] bool may_be_kept_later(const Error& failure);

/// A page could not be read, which the next time may do: a disk that had a bad moment.
[[nodiscard]] bool may_be_read_again(const Error& failure);

/// What had to be written did not fit: SQLite says "full" of a full disk, "write" of a quota or a limit (and of a disk that fails), and "shmsize" where
/// not even the file fits that shares the index of a log.
[[nodiscard]] bool has_no_room(const Error& failure);

/// Another connection has the lock, for longer than SQLite waits.
[[nodiscard]] bool is_locked(const Error& failure);

/// The rows contradict each other.
[[nodiscard]] Error damage(const char* what);

/// A statement written in the source: its address is its name in the cache.
struct Sql {
    const char* text;
    consteval Sql(const char* literal) : text(literal) {}  // NOLINT(google-explicit-constructor)
};

/// The rows of one statement. It goes back to the cache when the object ends.
class Rows {
public:
    explicit Rows(sqlite3_stmt* statement) : statement_(statement) {}
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    ~Rows();

    /// Steps to the next row; false: there is none.
    [[nodiscard]] bool next();

    /// The columns of this row, from the first on.
    template <typename... T>
    void read(T&... out) const {
        int column = 0;
        (read_value(*statement_, column++, out), ...);
    }

    template <typename T>
    [[nodiscard]] T value(int column = 0) const {
        T out{};
        read_value(*statement_, column, out);
        return out;
    }

private:
    sqlite3_stmt* statement_;
};

enum class Journal : std::uint8_t {
    log,   ///< write-ahead log, synchronous=FULL: a commit is on the disk when it returns
    none,  ///< for a file that is thrown away where it is not completed
};

/// Octets of a page of a new database. A commit writes each page that it changed as a whole, and a
/// state change touches some ten pages with a few octets each. docs/decisions/0047-small-pages.md.
inline constexpr int new_page_octets = 1'024;

/// What was written last may be there and nowhere else; an empty log holds nothing.
[[nodiscard]] bool has_log(const std::filesystem::path& database);

struct ConnectionOptions {
    bool read_only = false;
    /// with read_only: no process writes to it, it has no log, and no file is made next to it
    bool immutable = false;
    bool may_create = false;  ///< readable for its owner and group alone
    Journal journal = Journal::log;
    std::uint32_t cache_kib = 1024;
    const char* disk = nullptr;  ///< name of the VFS; null: the default one
};

class Connection {
public:
    /// storage, not_found (no such file), damaged_database (not a database).
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const std::filesystem::path& path,
                                                                  const ConnectionOptions& options);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    template <typename... T>
    [[nodiscard]] Rows query(Sql sql, const T&... values) {
        sqlite3_stmt* const statement = prepared(sql);
        int place = 1;
        (bind_value(*statement, place++, values), ...);
        return Rows(statement);
    }

    /// For statements without rows.
    template <typename... T>
    void run(Sql sql, const T&... values) {
        Rows rows = query(sql, values...);
        while (rows.next()) {
        }
    }

    /// The first column of the first row, or `otherwise`.
    template <typename R, typename... T>
    [[nodiscard]] R scalar(Sql sql, R otherwise, const T&... values) {
        Rows rows = query(sql, values...);
        return rows.next() ? rows.template value<R>() : std::move(otherwise);
    }

    /// Reads the first row into `out`; false: there is none, and `out` stays as it was.
    template <typename... Out, typename... T>
    [[nodiscard]] bool first(std::tuple<Out&...> out, Sql sql, const T&... values) {
        Rows rows = query(sql, values...);
        const bool found = rows.next();
        if (found) {
            std::apply([&rows](auto&... columns) { rows.read(columns...); }, out);
        }
        return found;
    }

    /// What `read(row)` makes of each row.
    template <typename Read, typename... T>
    [[nodiscard]] auto all(Read read, Sql sql, const T&... values) {
        std::vector<std::invoke_result_t<Read&, const Rows&>> found;
        Rows rows = query(sql, values...);
        while (rows.next()) {
            found.push_back(read(rows));
        }
        return found;
    }

    /// Each row as a std::tuple of its columns.
    template <typename... Columns>
    [[nodiscard]] auto tuples(Sql sql, const auto&... values) {
        const auto read = [](const Rows& row) {
            std::tuple<Columns...> columns;
            std::apply([&row](auto&... column) { row.read(column...); }, columns);
            return columns;
        };
        return all(read, sql, values...);
    }

    /// The first column of each row.
    template <typename R>
    [[nodiscard]] std::vector<R> column(Sql sql, const auto&... values) {
        return all([](const Rows& row) { return row.value<R>(); }, sql, values...);
    }

    /// Several statements at once, not cached.
    void script(const std::string& sql);

    [[nodiscard]] std::int64_t changed_rows() const;  ///< by the last statement
    [[nodiscard]] std::int64_t all_changes() const;   ///< rows, since it was opened
    [[nodiscard]] bool in_transaction() const;
    [[nodiscard]] bool is_read_only() const;
    void roll_back() noexcept;

    /// Of a page: that of new databases, or as it was begun.
    [[nodiscard]] int page_octets();
    /// Gives all pages the size of a new database's. Not in a transaction; the log is gone meanwhile,
    /// and after a loss of power the database is as it was. False: another process uses it, or there
    /// is no room: it stays as it was. Throws where the log can't be begun again.
    [[nodiscard]] bool rewrite_pages();

    /// Pages in the write-ahead log after the last commit of this connection.
    [[nodiscard]] int log_pages() const { return log_pages_; }
    /// Commits of this connection that had something to write.
    [[nodiscard]] std::uint64_t log_writes() const { return log_writes_; }
    /// Copies the log into the database as far as readers allow. Gives the pages that stay; -1: it
    /// failed.
    [[nodiscard]] int checkpoint() noexcept;

    /// Closing leaves the log as it is.
    void keep_log() noexcept;

    [[nodiscard]] sqlite3* handle() { return handle_; }

private:
    explicit Connection(sqlite3* handle) : handle_(handle) {}
    [[nodiscard]] sqlite3_stmt* prepared(Sql sql);
    void prepare_for(const ConnectionOptions& options);
    void watch_log();

    sqlite3* handle_;
    std::unordered_map<const char*, sqlite3_stmt*>
        statements_;  // bound: the statements in our source
    int log_pages_ = 0;
    std::uint64_t log_writes_ = 0;
};

/// What `work(connection)` gives with a connection of its own, of a database that a service may be
/// using.
template <typename Work>
[[nodiscard]] auto read_alone(const std::filesystem::path& database, Work work) ->
    typename AsResult<std::invoke_result_t<Work&, Connection&>>::Type {
    auto opened = Connection::open(database, {.read_only = true});
    if (!opened) {
        return std::unexpected(std::move(opened.error()));
    }
    return guarded([&] { return work(**opened); });
}

}  // namespace smsrack::db
