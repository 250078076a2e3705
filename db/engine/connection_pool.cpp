#include "db/engine/connection_pool.hpp"

#include "src/base/check.hpp"

#include <utility>

namespace smsrack::db {

ConnectionPool::ConnectionPool(std::filesystem::path database, const PoolLimits& limits,
                               const Clock& clock)
    : database_(std::move(database)), limits_(limits), clock_(clock) {}

ConnectionPool::Lease::~Lease() {
    if (connection_ != nullptr) {
        pool_->give_back(*connection_);
    }
}

Result<ConnectionPool::Lease> ConnectionPool::take() {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [this] {
        return !idle_.empty() || busy_.size() + opening_ < limits_.connections_max;
    });
    std::unique_ptr<Connection> connection;
    if (!idle_.empty()) {
        connection = std::move(idle_.back().connection);
        idle_.pop_back();
    } else {
        ++opening_;
        lock.unlock();
        auto opened = Connection::open(
            database_,
            {.read_only = true, .immutable = limits_.immutable, .cache_kib = limits_.cache_kib});
        lock.lock();
        --opening_;
        if (!opened) {
            returned_.notify_one();
            return std::unexpected(std::move(opened.error()));
        }
        connection = *std::move(opened);
    }
    Connection& taken = *connection;
    busy_.emplace(&taken, std::move(connection));
    return Lease(*this, taken);
}

void ConnectionPool::give_back(Connection& connection) {
    {
        const std::lock_guard lock(mutex_);
        auto held = busy_.extract(&connection);
        SMSRACK_CHECK(!held.empty());
        const SteadyTime now = clock_.steady();
        idle_.push_back({.connection = std::move(held.mapped()), .since = now});
        drop_expired(now);
    }
    returned_.notify_one();
}

void ConnectionPool::drop_expired(SteadyTime now) {
    while (!idle_.empty() && now - idle_.front().since >= limits_.idle_max) {
        idle_.pop_front();
    }
}

void ConnectionPool::close_idle() {
    const std::lock_guard lock(mutex_);
    drop_expired(clock_.steady());
}

std::size_t ConnectionPool::idle() const {
    const std::lock_guard lock(mutex_);
    return idle_.size();
}

std::size_t ConnectionPool::busy() const {
    const std::lock_guard lock(mutex_);
    return busy_.size();
}

}  // namespace smsrack::db
