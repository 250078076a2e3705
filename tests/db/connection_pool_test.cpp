#include "db/engine/connection_pool.hpp"

#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

using namespace smsrack;
using db::ConnectionPool;

namespace {

struct PoolFixture {
    explicit PoolFixture(std::size_t connections_max = 3)
        : path(folder.file("x.db")),
          made(db::Connection::open(path, {.may_create = true}).has_value()),
          pool(path, {.connections_max = connections_max, .idle_max = std::chrono::seconds(10)},
               clock) {}

    ConnectionPool::Lease take() {
        auto lease = pool.take();
        REQUIRE(lease);
        return *std::move(lease);
    }

    test::TempFolder folder;
    test::ManualClock clock;
    std::filesystem::path path;
    bool made;
    ConnectionPool pool;
};

/// Connections of this process that have read from or written to the database: each has its log open.
auto connections_to(const std::filesystem::path& database) {
    const std::string log = database.string() + "-wal";
    return std::ranges::count_if(
        std::filesystem::directory_iterator("/proc/self/fd"), [&](const auto& descriptor) {
            std::error_code closed;  // that of this iteration
            return std::filesystem::read_symlink(descriptor, closed) == log;
        });
}

}  // namespace

TEST_CASE("connection pool: an idle connection is used again before one is made") {
    PoolFixture f;
    const db::Connection* first = nullptr;
    {
        const auto lease = f.take();
        first = &*lease;
        CHECK(f.pool.busy() == 1);
    }
    CHECK(f.pool.idle() == 1);
    const auto again = f.take();
    CHECK(&*again == first);
    CHECK(f.pool.idle() == 0);
}

TEST_CASE("connection pool: the one that came back last is taken first") {
    PoolFixture f;
    std::optional<ConnectionPool::Lease> a(f.take());
    std::optional<ConnectionPool::Lease> b(f.take());
    const db::Connection* const last = &**a;
    b.reset();
    a.reset();
    const auto next = f.take();
    CHECK(&*next == last);
}

TEST_CASE("connection pool: it shrinks to what a small load needs") {
    PoolFixture f;
    {
        const auto a = f.take();
        const auto b = f.take();
        const auto c = f.take();
    }
    CHECK(f.pool.idle() == 3);
    for (int second = 0; second < 10; ++second) {  // one reader, less often than the limit
        f.clock.advance(std::chrono::seconds(1));
        const auto lease = f.take();
    }
    CHECK(f.pool.idle() == 1);
    f.clock.advance(std::chrono::seconds(10));
    f.pool.close_idle();
    CHECK(f.pool.idle() == 0);
}

TEST_CASE("connection pool: those idle past the limit are closed, the busy one stays") {
    PoolFixture f;
    const auto busy = f.take();
    { const auto a = f.take(); }
    f.clock.advance(std::chrono::seconds(9));
    f.pool.close_idle();
    CHECK(f.pool.idle() == 1);
    f.clock.advance(std::chrono::seconds(1));
    f.pool.close_idle();
    CHECK(f.pool.idle() == 0);
    CHECK(f.pool.busy() == 1);
}

TEST_CASE("connection pool: at its maximum a taker waits for a return") {
    PoolFixture f(1);
    std::optional<ConnectionPool::Lease> only(f.take());
    std::atomic<bool> got = false;
    std::jthread taker([&] {
        const auto lease = f.pool.take();
        got = lease.has_value();
    });
    CHECK_FALSE(got);
    only.reset();
    taker.join();
    CHECK(got);
    CHECK(f.pool.idle() == 1);
}

TEST_CASE("connection pool: a database that can't be opened is an error, and takes no place") {
    PoolFixture f(1);
    std::filesystem::remove(f.path);
    CHECK(f.pool.take().error().code == Errc::not_found);
    CHECK(f.pool.take().error().code == Errc::not_found);
    CHECK(f.pool.busy() == 0);
}

TEST_CASE("connection pool: a store that is looked after closes its idle connections") {
    test::StoreFixture f({.readers_max = 3, .reader_idle = std::chrono::seconds(10)});
    f.accepted();
    const auto database = f.folder.file("smsrack.db");
    const auto writer_alone = connections_to(database);
    CHECK(writer_alone == 1);
    f.look([&](ports::StoreReader& reader) {
        (void)f.uncertain_attempts();  // two at the same time
        return reader.uncertain({}, 10);
    });
    CHECK(connections_to(database) == writer_alone + 2);
    const auto look_after = [&](std::chrono::seconds later) {
        f.clock.advance(later);
        f.store->look_after();
        f.run();
    };
    look_after(std::chrono::seconds(9));
    CHECK(connections_to(database) == writer_alone + 2);
    look_after(std::chrono::seconds(1));
    CHECK(connections_to(database) == writer_alone);
    CHECK(f.uncertain_attempts().empty());
}
