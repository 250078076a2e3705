/// Reading connections: made when none is idle, up to a maximum; those unused past a limit are
/// closed.
///
/// The one that came back last is taken first, so that those that the load does not need stay idle and are closed. Idle ones
/// are kept in order of their return; busy ones are found by hash.
/// Threads: any; take() waits while the maximum is busy, and a reader is short.
/// Errors:  those of Connection::open.
/// Source:  [SMSEngine] database connection pool.
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/clock.hpp"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace smsrack::db {

struct PoolLimits {
    std::size_t connections_max = 4;
    std::chrono::steady_clock::duration idle_max = std::chrono::seconds(60);
    std::uint32_t cache_kib = 512;
    bool immutable = false;  ///< nothing writes to the database, and it has no log
};

class ConnectionPool {
public:
    /// A connection for as long as the object exists.
    class Lease {
    public:
        Lease(ConnectionPool& pool, Connection& connection)
            : pool_(&pool), connection_(&connection) {}
        Lease(Lease&& other) noexcept
            : pool_(other.pool_), connection_(std::exchange(other.connection_, nullptr)) {}
        Lease& operator=(Lease&&) = delete;
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ~Lease();

        [[nodiscard]] Connection& operator*() const { return *connection_; }

    private:
        ConnectionPool* pool_;
        Connection* connection_;
    };

    /// `clock` outlives the object.
    ConnectionPool(std::filesystem::path database, const PoolLimits& limits, const Clock& clock);

    [[nodiscard]] Result<Lease> take();

    /// Closes the connections idle past the limit; also done with each return. For when nothing reads any more.
    void close_idle();

    [[nodiscard]] std::size_t idle() const;
    [[nodiscard]] std::size_t busy() const;

private:
    struct Idle {
        std::unique_ptr<Connection> connection;
        SteadyTime since;
    };

    void give_back(Connection& connection);
    void drop_expired(SteadyTime now);

    const std::filesystem::path database_;
    const PoolLimits limits_;
    const Clock& clock_;
    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable returned_;
    std::deque<Idle> idle_ = {};
    std::unordered_map<Connection*, std::unique_ptr<Connection>> busy_ = {};
    std::size_t opening_ = 0;  // being opened, outside the lock
};

}  // namespace smsrack::db
