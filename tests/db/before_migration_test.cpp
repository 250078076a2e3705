#include "db/upkeep/before_migration.hpp"

#include "db/engine/migrate.hpp"
#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <chrono>
#include <fstream>

using namespace smsrack;
using db::Connection;
using test::SmallDisk;
using test::StoreFixture;

namespace {

const int last = static_cast<int>(db::migrations().size());

/// As the release before left it: one version earlier.
void make_earlier(const std::filesystem::path& database) {
    auto connection = Connection::open(database, {});
    REQUIRE(connection);
    (*connection)
        ->script("DROP TABLE fleet_engine; DROP TABLE fleet_reports_place; PRAGMA user_version = " +
                 std::to_string(last - 1));
}

int version_of(const std::filesystem::path& database) {
    auto connection = Connection::open(database, {.read_only = true});
    REQUIRE(connection);
    return (*connection)->scalar<int>("PRAGMA user_version", -1);
}

}  // namespace

TEST_CASE("before a migration: the database is kept as it was, and nothing is kept without one") {
    StoreFixture f;
    const auto file = f.folder.file("smsrack.db");
    const auto kept = db::before_migration_file(file, last - 1);
    const MessageId id = f.accepted();
    f.reopen();
    CHECK_FALSE(std::filesystem::exists(kept));
    f.store.reset();

    make_earlier(file);
    std::ofstream(f.folder.file("before-migration-3.db")) << "of an earlier migration";
    f.open();
    CHECK(version_of(file) == last);
    CHECK(f.state(id) == MessageState::queued);
    REQUIRE(std::filesystem::exists(kept));
    CHECK(version_of(kept) == last - 1);
    CHECK_FALSE(std::filesystem::exists(f.folder.file("before-migration-3.db")));
    const auto connection = Connection::open(kept, {.read_only = true});
    REQUIRE(connection);
    CHECK((*connection)->scalar<std::int64_t>("SELECT count(*) FROM messages", 0) == 1);
}

TEST_CASE("before a migration: what was kept goes after 30 days, and what a copy left at once") {
    StoreFixture f;
    const auto file = f.folder.file("smsrack.db");
    const auto kept = db::before_migration_file(file, last - 1);
    const auto left = kept.string() + ".partial";
    const auto aside = f.folder.file("smsrack.db.newer-20260101T120000Z");
    std::ofstream(kept) << "kept";
    std::ofstream(aside) << "put aside";
    std::ofstream(left) << "half of it";
    const auto written = std::chrono::file_clock::to_sys(std::filesystem::last_write_time(kept));
    const auto after = [&](std::chrono::hours time) {
        db::forget_kept(file, std::chrono::time_point_cast<WallTime::duration>(written + time));
        return std::filesystem::exists(kept);
    };
    CHECK(after(std::chrono::days(29)));
    CHECK_FALSE(std::filesystem::exists(left));
    CHECK(std::filesystem::exists(aside));
    CHECK_FALSE(after(std::chrono::days(31)));
    CHECK_FALSE(std::filesystem::exists(aside));
    CHECK(std::filesystem::exists(file));
}

TEST_CASE(
    "before a migration: where the disk is full, nothing is migrated; it continues when there is "
    "room") {
    StoreFixture f;
    const auto file = f.folder.file("smsrack.db");
    const auto kept = db::before_migration_file(file, last - 1);
    f.store.reset();
    make_earlier(file);
    {
        const SmallDisk full(100 * 1024);  // room for SQLite's own small files, not for the copy
        REQUIRE(std::filesystem::file_size(file) > 100 * 1024);
        const auto opened = f.try_open();
        REQUIRE_FALSE(opened);
        CHECK(opened.error().code == Errc::storage);
    }
    CHECK(version_of(file) == last - 1);
    CHECK_FALSE(std::filesystem::exists(kept));
    f.open();
    CHECK(version_of(file) == last);
    CHECK(version_of(kept) == last - 1);
}

TEST_CASE("before a migration: what room it needs is said before anything is written") {
    constexpr std::uintmax_t mebi = 1024 * 1024;
    CHECK(db::room_to_keep(100 * mebi, 132 * mebi));
    const auto refused = db::room_to_keep(100 * mebi, 131 * mebi);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::storage);
    CHECK(refused.error().context.contains("132 MiB are needed, 131 are free"));
}
