// An earlier copy in the place of the database.
#include "db/upkeep/go_back.hpp"

#include "db/engine/connection.hpp"
#include "db/upkeep/backup.hpp"
#include "db/upkeep/going_back.hpp"
#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <fstream>

using namespace smsrack;
using test::SmallDisk;
using test::StoreFixture;

namespace {

void set_schema(const std::filesystem::path& file, int version) {
    auto connection = db::Connection::open(file, {});
    REQUIRE(connection);
    (*connection)->script("PRAGMA user_version = " + std::to_string(version));
}

/// Such that neither opening it nor copying its pages notices.
void damage_table(const std::filesystem::path& file, const std::string& table) {
    const auto [page, octets] = [&] {
        auto connection = db::Connection::open(file, {.read_only = true});
        REQUIRE(connection);
        auto rows =
            (*connection)->query("SELECT rootpage FROM sqlite_schema WHERE name = ?", table);
        REQUIRE(rows.next());
        return std::pair(rows.value<int>(), (*connection)->page_octets());
    }();
    REQUIRE(page > 2);
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp((page - 1) * octets);
    out << std::string(static_cast<std::size_t>(octets), '\x5a');
}

bool is_of_now(const std::filesystem::path& file) {
    return std::filesystem::last_write_time(file) >
           std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
}

/// A database that a newer version writes, and the copy that was taken before its first migration.
struct NewerDatabase : StoreFixture {
    NewerDatabase() {
        REQUIRE(db::backup(database, copy, {}));
        store.reset();
        set_schema(database, 99);
    }
    const std::filesystem::path database = folder.file("smsrack.db");
    const std::filesystem::path copy = folder.file("before-migration-1.db");
    const std::filesystem::path left = folder.file("smsrack.db.going-back");
    const MessageId before = accepted();
    const WallTime now = clock.wall();
};

}  // namespace

TEST_CASE("go_back: the copy is the database, the later one is kept whole, and the copy stays") {
    StoreFixture f;
    const std::filesystem::path database = f.folder.file("smsrack.db");
    const std::filesystem::path copy = f.folder.file("before-migration-1.db");
    const MessageId before = f.accepted();
    REQUIRE(db::backup(database, copy, {}));
    const MessageId since = f.accepted();
    const WallTime now = f.clock.wall();
    f.store.reset();
    set_schema(database, 99);

    const auto kept = db::go_back(database, copy, now);
    REQUIRE(kept);
    CHECK(kept->filename().string().starts_with("smsrack.db.newer-2026"));
    CHECK(db::schema_of(*kept)->version == 99);
    CHECK(std::filesystem::exists(copy));
    CHECK_FALSE(std::filesystem::exists(f.folder.file("smsrack.db.going-back")));
    f.open();
    CHECK(f.state(before) == MessageState::queued);
    CHECK_FALSE(f.look([&](ports::StoreReader& reader) { return reader.message(since); }));
    f.store.reset();

    // The clock of a box may say the same again.
    set_schema(database, 99);
    const auto again = db::go_back(database, copy, now);
    REQUIRE(again);
    CHECK(*again != *kept);
}

TEST_CASE_FIXTURE(NewerDatabase,
                  "go_back: what a run left that the power ended is kept, or cleared away") {
    std::filesystem::copy_file(copy, left);
    CHECK(db::go_back(database, copy, now));
    CHECK_FALSE(std::filesystem::exists(left));

    std::filesystem::copy_file(copy, left);
    set_schema(left, 98);  // after the exchange, before it had its name
    set_schema(database, 99);
    CHECK(db::go_back(database, copy, now));
    std::size_t newer = 0;
    for (const auto& entry : std::filesystem::directory_iterator(database.parent_path())) {
        newer += entry.path().filename().string().contains(".newer-") &&
                         !entry.path().string().ends_with("-wal") &&
                         !entry.path().string().ends_with("-shm")
                     ? 1
                     : 0;
    }
    CHECK(newer == 3);
}

TEST_CASE_FIXTURE(NewerDatabase,
                  "go_back: where there is no room for one more, the copy itself is the database") {
    std::filesystem::last_write_time(
        database, std::filesystem::file_time_type::clock::now() - std::chrono::days(40));
    const auto kept_at = [&](rlim_t room) {
        const SmallDisk full(room);
        REQUIRE(std::filesystem::file_size(copy) > room);
        CHECK(db::schema_of(database)->version == 99);  // or there is no request to go back
        CHECK(db::loss_of_going_back(database, copy));
        return db::go_back(database, copy, now);
    };
    Result<std::filesystem::path> kept;
    SUBCASE("but for SQLite's own small files") {
        kept = kept_at(100 * 1024);
    }
    SUBCASE("nor for any of SQLite's own files") {
        kept = kept_at(4 * 1024);
    }
    REQUIRE(kept);
    CHECK(db::schema_of(*kept)->version == 99);
    CHECK_FALSE(std::filesystem::exists(copy));  // two names of what is written to now
    CHECK_FALSE(std::filesystem::exists(left));
    open();
    CHECK(state(before) == MessageState::queued);
    CHECK(is_of_now(*kept));  // it was put aside now, not when it was written to
}

TEST_CASE_FIXTURE(
    NewerDatabase,
    "go_back: a database that can't be opened for another reason than room stays where it is") {
    // As without an inode for it.
    std::filesystem::create_symlink("no/where", database.string() + "-shm");
    CHECK(db::schema_of(database)->version == 99);  // it can be read nevertheless
    CHECK_FALSE(db::go_back(database, copy, now));
    CHECK(std::filesystem::exists(copy));
    CHECK(db::schema_of(database)->version == 99);
    SUBCASE("a log next to it may hold more than it does: then it is not read") {
        std::ofstream(database.string() + "-wal") << "frames";
        CHECK_FALSE(db::schema_of(database));
    }
}

TEST_CASE_FIXTURE(NewerDatabase,
                  "go_back: a copy that is damaged anywhere takes no place, and stays") {
    damage_table(copy, "messages");
    SUBCASE("with room for one more") {
        CHECK(db::go_back(database, copy, now).error().code == Errc::damaged_database);
    }
    SUBCASE("and without") {
        const SmallDisk full(100 * 1024);
        CHECK(db::go_back(database, copy, now).error().code == Errc::damaged_database);
    }
    CHECK(std::filesystem::exists(copy));
    CHECK_FALSE(std::filesystem::exists(left));
    CHECK(db::schema_of(database)->version == 99);
}

TEST_CASE(
    "end_going_back: after a power cut the later one has its name, and the copy is no second name "
    "of the database") {
    StoreFixture f;
    const std::filesystem::path database = f.folder.file("smsrack.db");
    const std::filesystem::path copy = f.folder.file("before-migration-1.db");
    const std::filesystem::path left = f.folder.file("smsrack.db.going-back");
    const WallTime now = f.clock.wall();
    const MessageId before = f.accepted();
    f.store.reset();
    REQUIRE(db::end_going_back(database, now));  // nothing to do

    std::filesystem::copy_file(database, left);
    set_schema(left, 99);
    std::filesystem::last_write_time(
        left, std::filesystem::file_time_type::clock::now() - std::chrono::days(40));
    std::filesystem::create_hard_link(database, copy);
    std::ofstream(f.folder.file("smsrack.db.going-back.partial")) << "not the whole of a copy";
    REQUIRE(db::end_going_back(database, now));
    CHECK_FALSE(std::filesystem::exists(left));
    CHECK_FALSE(std::filesystem::exists(f.folder.file("smsrack.db.going-back.partial")));
    CHECK_FALSE(std::filesystem::exists(copy));
    const auto newer = [&] {
        for (const auto& entry : std::filesystem::directory_iterator(database.parent_path())) {
            if (entry.path().string().contains(".newer-")) {
                return entry.path();
            }
        }
        return std::filesystem::path();
    }();
    CHECK(db::schema_of(newer)->version == 99);
    f.open();
    CHECK(f.state(before) == MessageState::queued);
    CHECK(is_of_now(newer));  // its days begin now
}

TEST_CASE("go_back: a database that is in use stays where it is") {
    StoreFixture f;
    const std::filesystem::path database = f.folder.file("smsrack.db");
    const std::filesystem::path copy = f.folder.file("before-migration-1.db");
    (void)f.accepted();
    REQUIRE(db::backup(database, copy, {}));
    const auto refused = db::go_back(database, copy, f.clock.wall());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::busy);
    CHECK(f.accept(f.message()));
}
