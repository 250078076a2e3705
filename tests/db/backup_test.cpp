#include "db/upkeep/backup.hpp"

#include "db/engine/connection.hpp"
#include "db/upkeep/check.hpp"
#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <fstream>

using namespace smsrack;
using test::SmallDisk;
using test::StoreFixture;

TEST_CASE("backup: a copy of one moment, while the store is in use") {
    StoreFixture f;
    for (int i = 0; i < 2'000; ++i) {
        f.store->post(ports::Accept{f.message()}, {});
    }
    f.run();
    const auto copy = f.folder.file("copy.db");
    int steps = 0;
    const auto size =
        db::backup(f.folder.file("smsrack.db"), copy, [&](db::BackupProgress progress) {
            CHECK(progress.pages_copied <= progress.pages);
            ++steps;
            f.accepted();  // the writer continues
        });
    REQUIRE(size);
    CHECK(steps > 0);
    CHECK(*size == std::filesystem::file_size(copy));
    CHECK_FALSE(std::filesystem::exists(f.folder.file("copy.db.partial")));
    const auto checked = db::check(copy);
    REQUIRE(checked);
    CHECK(checked->problems.empty());
    CHECK(checked->messages == 2'000);

    SUBCASE("and again, over the old one, with the service down") {
        f.store.reset();
        REQUIRE(db::backup(f.folder.file("smsrack.db"), copy, {}));
        CHECK(db::check(copy)->messages > 2'000);
    }
    SUBCASE("without room for it the old copy stays") {
        const SmallDisk disk(64 * 1024);
        const auto failed = db::backup(f.folder.file("smsrack.db"), copy, {});
        REQUIRE_FALSE(failed);
        CHECK(failed.error().code == Errc::storage);
        CHECK(db::check(copy)->messages == 2'000);
        CHECK_FALSE(std::filesystem::exists(f.folder.file("copy.db.partial")));
    }
    SUBCASE("into a folder that is not there") {
        CHECK(db::backup(f.folder.file("smsrack.db"), "/nonexistent/copy.db", {}).error().code ==
              Errc::storage);
    }
    SUBCASE("of a database that is not there") {
        CHECK(db::backup(f.folder.file("none.db"), copy, {}).error().code == Errc::not_found);
        CHECK(db::check(f.folder.file("none.db")).error().code == Errc::not_found);
    }
}

TEST_CASE("backup to a place that a person chose: nothing is overwritten, and no link followed") {
    StoreFixture f;
    f.accepted();
    const auto database = f.folder.file("smsrack.db");
    const auto copy = f.folder.file("copy.db");
    const auto other = f.folder.file("other");
    const auto backup = [&] { return db::backup(database, copy, {}, db::BackupPlace::chosen); };
    std::ofstream(other) << "kept";
    const auto other_is_kept = [&] {
        std::string text;
        std::ifstream(other) >> text;
        return text == "kept";
    };
    SUBCASE("a free name") {
        REQUIRE(backup());
        CHECK(db::check(copy)->messages == 1);
        CHECK((std::filesystem::status(copy).permissions() & std::filesystem::perms(0777)) ==
              std::filesystem::perms(0600));
        const auto again = backup();
        REQUIRE_FALSE(again);
        CHECK(again.error().code == Errc::conflict);
        CHECK(again.error().context.contains("name another file"));
    }
    SUBCASE("a link, to a file or to none") {
        for (const auto& target : {other, f.folder.file("none")}) {
            std::filesystem::remove(copy);
            std::filesystem::create_symlink(target, copy);
            const auto refused = backup();
            REQUIRE_FALSE(refused);
            CHECK(refused.error().code == Errc::conflict);
        }
        CHECK(other_is_kept());
        CHECK_FALSE(std::filesystem::exists(f.folder.file("none")));
    }
    SUBCASE("a link, or a second name, where the half copy would be") {
        std::filesystem::create_symlink(other, copy.string() + ".partial");
        CHECK_FALSE(backup());
        CHECK(other_is_kept());
        CHECK(std::filesystem::is_symlink(copy.string() + ".partial"));
        std::filesystem::remove(copy.string() + ".partial");
        std::filesystem::create_hard_link(other, copy.string() + ".partial");
        CHECK_FALSE(backup());
        CHECK(other_is_kept());
    }
    SUBCASE("the half copy of a call that was killed disturbs no later one") {
        std::ofstream(copy.string() + ".partial") << "half";
        CHECK(backup());
    }
    SUBCASE("a folder that others may write to, also one above") {
        const auto folder = f.folder.file("open");
        std::filesystem::create_directories(folder / "below");
        std::filesystem::permissions(folder, std::filesystem::perms(0777));
        for (const auto& place : {folder / "x.db", folder / "below" / "x.db"}) {
            const auto refused = db::backup(database, place, {}, db::BackupPlace::chosen);
            REQUIRE_FALSE(refused);
            CHECK(refused.error().code == Errc::forbidden);
            CHECK(refused.error().context.contains("chmod go-w"));
            CHECK_FALSE(std::filesystem::exists(place));
        }
        std::filesystem::permissions(folder, std::filesystem::perms(01777));  // as /tmp
        CHECK(db::backup(database, folder / "x.db", {}, db::BackupPlace::chosen));
    }
}

TEST_CASE("check: what the store never writes is a problem, said in a sentence") {
    StoreFixture f;
    f.sent(1);
    const MessageId held = f.accepted();
    REQUIRE(f.begin(held));
    f.accepted();
    CHECK(db::check(f.folder.file("smsrack.db"))->problems.empty());
    f.store.reset();
    auto connection = db::Connection::open(f.folder.file("smsrack.db"), {});
    REQUIRE(connection);
    struct Row {
        const char* damage;
        const char* said;
    };
    for (const Row& row :
         {Row{"UPDATE head SET queued = 7", "counted wrongly"},
          Row{"UPDATE head SET sequence = 1", "sequence"},
          Row{"UPDATE messages SET state = 5 WHERE state = 4", "follow from their segments"},
          Row{"UPDATE messages SET in_hand = 0", "open attempt"},
          Row{"DELETE FROM attempts", "last attempt"},
          Row{"DELETE FROM segments", "without a segment"},
          Row{"DELETE FROM messages", "of no message"},
          Row{"UPDATE messages SET waiting = 0", "time to live"}}) {
        CAPTURE(row.damage);
        const auto good = f.folder.file("good.db");
        REQUIRE(db::backup(f.folder.file("smsrack.db"), good, {}));
        auto damaged = db::Connection::open(good, {});
        REQUIRE(damaged);
        (*damaged)->script(row.damage);
        const auto checked = db::check(good);
        REQUIRE(checked);
        CHECK(std::ranges::any_of(checked->problems,
                                  [&](const std::string& p) { return p.contains(row.said); }));
        damaged->reset();
        for (const char* name : {"good.db", "good.db-wal", "good.db-shm"}) {
            std::filesystem::remove(f.folder.file(name));
        }
    }
}

TEST_CASE("check: a damaged file is found") {
    StoreFixture f;
    for (int i = 0; i < 500; ++i) {
        f.store->post(ports::Accept{f.message()}, {});
    }
    f.run();
    f.store.reset();
    const auto file = f.folder.file("smsrack.db");
    {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) / 2));
        stream << std::string(4'096, 'x');
    }
    const auto checked = db::check(file);
    CHECK((!checked || !checked->problems.empty()));
}
