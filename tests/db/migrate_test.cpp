#include "db/engine/migrate.hpp"

#include "db/upkeep/check.hpp"
#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using db::Connection;
using db::Migration;

namespace {

std::unique_ptr<Connection> open_database(const std::filesystem::path& path) {
    auto opened = Connection::open(path, {.may_create = true});
    REQUIRE(opened);
    return *std::move(opened);
}

std::int64_t number(Connection& connection, db::Sql sql) {
    return connection.scalar<std::int64_t>(sql, -1);
}

constexpr Migration first{1, "0001_first", "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (5);"};
constexpr Migration second{2, "0002_second",
                           "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x * 2;"};
constexpr Migration broken{2, "0002_broken", "UPDATE a SET x = 6; CREATE TABLE a (again INTEGER);"};

}  // namespace

TEST_CASE(
    "migrate: the migrations of the program are numbered from 1 without a gap, and named after "
    "their files") {
    int last = 0;
    for (const Migration& step : db::migrations()) {
        CHECK(step.number == last + 1);
        CHECK(std::stoi(std::string(step.name.substr(0, 4))) == step.number);
        CHECK_FALSE(step.sql.empty());
        last = step.number;
    }
    CHECK(last >= 1);
}

TEST_CASE("migrate: each migration of the program follows from the one before") {
    const test::TempFolder folder;
    const auto connection = open_database(folder.file("x.db"));
    for (std::size_t steps = 1; steps <= db::migrations().size(); ++steps) {
        CAPTURE(steps);
        const auto migrated = db::migrate(*connection, db::migrations().first(steps));
        if (!migrated) {
            FAIL(migrated.error().context);
        }
        CHECK(number(*connection, "PRAGMA user_version") == static_cast<std::int64_t>(steps));
        if (steps < db::migrations().size() && db::migrations()[steps].name.ends_with("_work")) {
            connection->script(
                "INSERT INTO messages (id, state, level, grp, segments, flags, waiting, to_addr, "
                "body, fingerprint, created_at, expires_at, updated_at) VALUES "
                "(11, 1, 3, 1, 2, 0, 1, '1', 'x', 0, 0, 9, 0), (12, 2, 3, 1, 1, 0, 1, '1', 'x', 0, "
                "0, 9, 0), (14, 4, 3, 1, 1, 0, 0, '1', 'x', 0, 0, 9, 0), (15, 1, 6, 1, 1, 0, 1, "
                "'1', "
                "'x', 0, 0, 9, 0)");
        }
        if (steps == 1) {
            connection->script(
                "INSERT INTO attempts (id, message, number, segment, modem, sim, started_at, "
                "outcome, prev) VALUES (3, 1, 1, 0, 'm0', 1, 0, 2, 0)");
            connection->script(  // one was scheduled and is queued since 77, one was queued at once
                "INSERT INTO messages (id, state, level, grp, segments, flags, waiting, to_addr, "
                "body, fingerprint, created_at, expires_at, updated_at, last_event) VALUES "
                "(1, 1, 3, 1, 1, 5, 1, '', '', 0, 50, 99, 77, 4), "
                "(2, 1, 3, 1, 1, 1, 1, '', '', 0, 60, 99, 60, 0)");
        }
    }
    CHECK(number(*connection, "SELECT outcome FROM attempts WHERE id = 3") == 2);
    CHECK(number(*connection, "SELECT count(*) FROM attempt_notes") == 0);
    CHECK(number(*connection, "SELECT queued_at FROM messages WHERE id = 1") == 77);
    CHECK(number(*connection, "SELECT queued_at IS NULL FROM messages WHERE id = 2") == 1);
    CHECK(number(*connection, "SELECT count(*) FROM sim_usage") == 0);
    CHECK(number(*connection, "SELECT count(*) FROM slots") == 0);
    CHECK(number(*connection, "SELECT segments FROM work WHERE grp = 1 AND level = 3") == 5);
    CHECK(number(*connection, "SELECT segments FROM work WHERE grp = 1 AND level = 6") == 1);
    CHECK(number(*connection, "SELECT count(*) FROM work") == 2);
    CHECK(number(*connection, "SELECT oldest FROM schema_reader") == db::readable_from);
    // Rows of version 1 that each later version must carry over are looked at here, as versions
    // come.
    CHECK(number(*connection, "SELECT sequence FROM head") == 0);
}

TEST_CASE("migrate: each step is applied once, in order") {
    const test::TempFolder folder;
    const auto connection = open_database(folder.file("x.db"));
    const std::array steps{first, second};
    REQUIRE(db::migrate(*connection, std::span(steps).first(1)));
    REQUIRE(db::migrate(*connection, steps));
    REQUIRE(db::migrate(*connection, steps));
    CHECK(number(*connection, "SELECT y FROM a") == 10);
    CHECK(number(*connection, "SELECT count(*) FROM a") == 1);
}

TEST_CASE("migrate: a step that fails leaves the version before it, whole") {
    const test::TempFolder folder;
    const auto connection = open_database(folder.file("x.db"));
    const auto migrated = db::migrate(*connection, std::array{first, broken});
    REQUIRE_FALSE(migrated);
    CHECK(migrated.error().context.contains("0002_broken"));
    CHECK(number(*connection, "PRAGMA user_version") == 1);
    CHECK(number(*connection, "SELECT x FROM a") == 5);
    REQUIRE(db::migrate(*connection, std::array{first, second}));
}

TEST_CASE(
    "migrate: a database of a newer version is refused, with both versions, and not touched") {
    test::StoreFixture f;
    const MessageId id = f.accepted();
    f.store.reset();
    open_database(f.folder.file("smsrack.db"))
        ->script("PRAGMA user_version = 4711; UPDATE schema_reader SET oldest = 4710");
    const auto opened = f.try_open();
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == Errc::newer_database);
    CHECK(opened.error().context.contains("4711"));
    CHECK(opened.error().context.contains(std::to_string(db::migrations().size())));
    open_database(f.folder.file("smsrack.db"))
        ->script("PRAGMA user_version = " + std::to_string(db::migrations().size()) +
                 "; UPDATE schema_reader SET oldest = 14");
    f.open();
    CHECK(f.state(id) == MessageState::queued);
}

TEST_CASE("migrate: a newer version that does not say who may use it is refused") {
    test::StoreFixture f;
    f.store.reset();
    open_database(f.folder.file("smsrack.db"))
        ->script("PRAGMA user_version = 4711; DROP TABLE schema_reader");
    const auto opened = f.try_open();
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == Errc::newer_database);
}

TEST_CASE("migrate: another program's database is refused, and not touched") {
    test::StoreFixture f;
    f.store.reset();
    const auto file = f.folder.file("smsrack.db");
    std::filesystem::remove(file);
    SUBCASE("another program's database") {
        open_database(file)->script("CREATE TABLE contacts (name TEXT)");
    }
    SUBCASE("another program's, with a version") {
        open_database(file)->script("CREATE TABLE contacts (name TEXT); PRAGMA user_version = 1");
    }
    const auto opened = f.try_open();
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == Errc::damaged_database);
}

TEST_CASE(
    "migrate: a database of a newer version is used as it is where that one says so, and checked "
    "too") {
    test::StoreFixture f;
    const MessageId id = f.accepted();
    f.store.reset();
    const int mine = static_cast<int>(db::migrations().size());
    open_database(f.folder.file("smsrack.db"))
        ->script(
            "PRAGMA user_version = " + std::to_string(mine + 1) +
            "; CREATE TABLE of_the_newer_one (x INTEGER); INSERT INTO of_the_newer_one VALUES (7);"
            " UPDATE schema_reader SET oldest = " +
            std::to_string(mine));
    f.open();
    CHECK(f.state(id) == MessageState::queued);
    const MessageId later = f.accepted();
    f.store.reset();
    const auto connection = open_database(f.folder.file("smsrack.db"));
    CHECK(number(*connection, "PRAGMA user_version") == mine + 1);
    CHECK(number(*connection, "SELECT x FROM of_the_newer_one") == 7);
    const auto checked = db::check(f.folder.file("smsrack.db"));
    REQUIRE(checked);
    CHECK(checked->problems.empty());
    CHECK(checked->messages == 2);
    CHECK(later > id);

    connection->script("UPDATE schema_reader SET oldest = " + std::to_string(mine + 1));
    const auto opened = f.try_open();
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == Errc::newer_database);
}
