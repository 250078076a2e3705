// The power goes at any moment, between any two turns of the components that would be threads; what
// the disk had not synced is kept, lost or torn. The modems have their own supply and keep running,
// as in a rack whose modems use another socket.
#include "db/engine/connection.hpp"
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::World;

namespace {

std::string number_of(std::size_t i) {
    return fmt::format("+3367{:07}", i);
}

struct Sums {
    std::size_t accepted = 0;
    std::size_t resolved = 0;  ///< sent or delivered
    std::size_t in_doubt = 0;
    std::size_t received = 0;
    std::size_t in_the_middle = 0;  ///< cuts
};

/// Messages out and in, and the power lost several times meanwhile.
void run(std::uint64_t seed, Sums& sums, test::PowerDisk::Counts& disk) {
    test::SeededRandom random(seed);
    World world({.modems = 3, .seed = seed, .service = 300ms, .exponential = true});
    std::vector<MessageId> ids;
    std::uint64_t offered = 0;
    for (int cut = 0; cut < 8; ++cut) {
        REQUIRE(world.run_until_ready());
        std::vector<intake::SubmitRequest> requests;
        for (std::size_t i = 0; i < 12; ++i) {
            requests.push_back({.to = number_of(ids.size() + i),
                                .text = std::string(random.below(3) == 0 ? 200 : 20, 'x'),
                                .priority = static_cast<Level>(random.below(level_count))});
        }
        for (const MessageId id : world.send_all(requests)) {
            ids.push_back(id);
        }
        for (int i = 0; i < 3; ++i) {
            world.run_for(std::chrono::milliseconds(random.below(400)));
            ++offered;
            REQUIRE(world.modems.modem(static_cast<std::size_t>(offered % 3))
                        .offer(world.clock.steady(), {.id = offered,
                                                      .from = "+33699000000",
                                                      .text = fmt::format("in {}", offered)}));
        }
        world.run_for(std::chrono::milliseconds(random.below(2'000)));
        sums.in_the_middle += world.lose_power_after(1 + random.below(60), 2'000) ? 1 : 0;
    }
    REQUIRE(world.run_until_ready());
    world.run_for(10min);  // reports, sweeps of the SIMs, and `uncertain_s`

    for (std::size_t i = 0; i < ids.size(); ++i) {
        CAPTURE(ids[i].value);
        const auto detail = world.detail(ids[i]);
        const auto segments = static_cast<std::ptrdiff_t>(detail.message.segments);
        const auto at_network =
            std::ranges::count(world.modems.journal.submits, number_of(i), &test::Submitted::to);
        const MessageState state = detail.message.state;
        CAPTURE(message_state_name(state));
        ++sums.accepted;
        CHECK(at_network <= segments);  // never twice
        if (state == MessageState::sent || state == MessageState::delivered) {
            CHECK(at_network == segments);
            ++sums.resolved;
        } else {
            // Its attempt was on the disk, its answer not; a report can't be matched without the reference in it.
            const bool told =
                state == MessageState::uncertain ||
                (state == MessageState::failed && detail.message.detail == "outcome_unknown");
            CHECK(told);
            ++sums.in_doubt;
        }
    }
    const auto inbox = world.inbox();
    for (std::uint64_t i = 1; i <= offered; ++i) {
        CAPTURE(i);
        CHECK(std::ranges::count_if(inbox, [&](const auto& row) {
                  return row.content.text == fmt::format("in {}", i);
              }) == 1);
        ++sums.received;
    }
    const auto counts = world.disk.counts();
    disk.syncs += counts.syncs;
    disk.unsynced_writes += counts.unsynced_writes;
    disk.lost += counts.lost;
    disk.torn += counts.torn;
}

}  // namespace

TEST_CASE(
    "power: cut at any moment, nothing accepted or received is lost, and nothing is sent twice") {
    Sums sums;
    test::PowerDisk::Counts disk;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(seed);
        run(seed, sums, disk);
    }
    CHECK(sums.accepted == 12 * 8 * 12);
    CHECK(sums.received == 12 * 8 * 3);
    CHECK(sums.resolved > sums.accepted * 9 / 10);
    CHECK(disk.lost > 100);
    CHECK(disk.torn > 20);
    CHECK(sums.in_the_middle > 12 * 8 / 2);
    MESSAGE(sums.in_the_middle, " cuts in the middle of a write; in doubt: ", sums.in_doubt, " of ",
            sums.accepted, "; ", disk.unsynced_writes, " writes not synced, ", disk.lost, " lost, ",
            disk.torn, " torn");
}

namespace {

void say(sqlite3* db, const std::string& sql) {
    REQUIRE(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
}

std::string answer(const std::string& path, const std::string& sql) {
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
    std::string text;
    const int code = sqlite3_exec(
        db, sql.c_str(),
        [](void* to, int, char** values, char**) {
            *static_cast<std::string*>(to) += values[0];
            return 0;
        },
        &text, nullptr);
    sqlite3_close(db);
    return code == SQLITE_OK ? text : "error";
}

/// Rows that are there after a cut behind the 20th of as many transactions.
std::vector<std::string> rows_after(const std::string& synchronous, std::uint64_t seeds) {
    std::vector<std::string> seen;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        test::PowerDisk disk;
        test::TempDir before;
        test::TempDir after;
        sqlite3* db = nullptr;
        REQUIRE(sqlite3_open((before.path() / "db").c_str(), &db) == SQLITE_OK);
        say(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=" + synchronous +
                    "; CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); PRAGMA wal_checkpoint;");
        for (int i = 0; i < 20; ++i) {
            say(db, fmt::format("INSERT INTO t(b) VALUES('{}')", std::string(3'000, 'a')));
        }
        test::SeededRandom random(seed);
        disk.cut(before.path(), after.path(), random);
        sqlite3_close(db);
        CHECK(answer((after.path() / "db").string(), "PRAGMA integrity_check") == "ok");
        seen.push_back(answer((after.path() / "db").string(), "SELECT count(*) FROM t"));
    }
    return seen;
}

}  // namespace

TEST_CASE(
    "PowerDisk: what was committed and synced is there after a cut; without syncs it may not be") {
    const auto full = rows_after("FULL", 20);
    CHECK(std::ranges::count(full, "20") == 20);
    const auto normal = rows_after("NORMAL", 20);
    CHECK(std::ranges::count(normal, "20") < 15);
    CHECK(std::ranges::count(normal, "20") > 0);
}

namespace {

/// The database of an earlier release, with rows.
std::unique_ptr<db::Connection> old_database(const std::filesystem::path& file) {
    {
        auto begun = db::Connection::open(file, {.may_create = true, .journal = db::Journal::none});
        REQUIRE(begun);
        (*begun)->script(
            "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; CREATE TABLE t(a INTEGER PRIMARY "
            "KEY, b TEXT);");
    }
    auto connection = db::Connection::open(file, {});
    REQUIRE(connection);
    for (int i = 0; i < 20; ++i) {
        (*connection)
            ->script(fmt::format("INSERT INTO t(b) VALUES('{}')", std::string(3'000, 'a')));
    }
    REQUIRE((*connection)->checkpoint() == 0);  // the file that was begun is synced too
    return *std::move(connection);
}

}  // namespace

TEST_CASE("power: lost while pages are rewritten, the database is whole, old or new") {
    int old = 0;
    int rewritten = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        test::PowerDisk disk;
        test::TempDir before;
        test::TempDir after;
        auto connection = old_database(before.path() / "db");
        test::SeededRandom random(seed);
        disk.go_off_after(random.below(960));
        REQUIRE(connection->rewrite_pages());
        disk.cut(before.path(), after.path(), random);
        connection.reset();
        const auto file = (after.path() / "db").string();
        CHECK(answer(file, "PRAGMA integrity_check") == "ok");
        CHECK(answer(file, "SELECT count(*) FROM t") == "20");
        ++(answer(file, "PRAGMA page_size") == "4096" ? old : rewritten);
    }
    CHECK(old > 10);
    CHECK(rewritten > 10);
}
