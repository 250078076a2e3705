// A start without room on the disk, and what the store says of its writes.
#include "db/engine/connection.hpp"
#include "db/engine/disk_room.hpp"
#include "db/engine/reserve.hpp"
#include "db/engine/store_fault.hpp"
#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <chrono>
#include <filesystem>
#include <sys/stat.h>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::StoreFault;
using test::SmallDisk;
using test::StoreFixture;

TEST_CASE("reads only: without room a store opens that answers questions and refuses to write") {
    StoreFixture f({.may_read_only = true});
    const MessageId kept = f.accepted();
    f.store.reset();
    CHECK_FALSE(db::has_log(f.folder.file("smsrack.db")));  // else it needs room: system.conditions
    {
        const SmallDisk disk(0);
        CHECK_FALSE(db::try_disk(f.folder.file(".")).has_value());
        auto opened = f.try_open();
        INFO((opened ? "" : opened.error().context), " ", (opened ? 0 : opened.error().detail));
        REQUIRE(opened);
        f.store = *std::move(opened);
        CHECK(f.store->reads_only());
        CHECK(f.log.count("store_reads_only") == 1);
        REQUIRE(f.store->trouble());
        CHECK(f.store->trouble()->reads_only);
        CHECK(f.store->trouble()->since == f.clock.wall());
        CHECK(f.state(kept) == MessageState::queued);
        CHECK(f.store->counts().at(static_cast<std::size_t>(MessageState::queued)) == 1);
        CHECK(f.accept(f.message()).error().code == Errc::storage);
        REQUIRE(f.store->group_id("default"));
        CHECK(f.store->group_id("new one").value() != f.store->group_id("another").value());
    }
    // The same store stays as it is; the next one can write.
    CHECK(f.accept(f.message()).error().code == Errc::storage);
    CHECK(f.store->trouble().has_value());
    f.reopen();
    CHECK(db::try_disk(f.folder.file(".")).has_value());
    CHECK_FALSE(f.store->reads_only());
    CHECK_FALSE(f.store->trouble().has_value());
    f.accepted();
    CHECK(f.count(MessageState::queued) == 2);
}

TEST_CASE("reads only: a store that can write keeps room for the index of the log") {
    const auto octets_on_disk = [](const std::filesystem::path& file) {
        struct stat about {};
        return stat(file.c_str(), &about) == 0 ? static_cast<std::size_t>(about.st_blocks) * 512
                                               : 0;
    };
    StoreFixture f({.may_read_only = true});
    const auto reserve = f.folder.file("smsrack.db-reserve");
    CHECK(octets_on_disk(reserve) >= db::reserve_size);
    std::filesystem::resize_file(reserve, 1);  // a start that was cut off while it made it
    f.reopen();
    CHECK(octets_on_disk(reserve) >= db::reserve_size);
    CHECK(db::give_reserve_back(f.folder.file("smsrack.db")));
    CHECK_FALSE(db::give_reserve_back(f.folder.file("smsrack.db")));
    {
        const SmallDisk disk(1);
        db::keep_reserve(f.folder.file("smsrack.db"));
    }
    CHECK_FALSE(std::filesystem::exists(reserve));  // what had no room is no reserve
}

TEST_CASE(
    "reads only: not where it is not asked for, and not for a database that must be migrated") {
    StoreFixture f;
    f.accepted();
    f.store.reset();
    SUBCASE("it is not asked for") {
        const SmallDisk disk(0);
        CHECK(f.try_open().error().code == Errc::storage);
    }
    SUBCASE("an older schema") {
        {
            auto connection = db::Connection::open(f.folder.file("smsrack.db"), {});
            REQUIRE(connection);
            (*connection)->script("PRAGMA user_version = 14");
        }
        StoreFixture other({.path = f.folder.file("smsrack.db"), .may_read_only = true},
                           StoreFixture::Begin::closed);
        const SmallDisk disk(0);
        CHECK(other.try_open().error().code == Errc::storage);
    }
}

TEST_CASE(
    "store health: a failed write is trouble until a write is kept; the idle store finds out by "
    "itself") {
    StoreFixture f;
    f.run();
    CHECK_FALSE(f.store->trouble().has_value());
    const WallTime began = f.clock.wall();
    {
        const SmallDisk disk(0);
        f.store->look_after();
        f.run();
        REQUIRE(f.store->trouble());
        CHECK(f.store->trouble()->fault == StoreFault::failing);  // there is room, and yet it fails
        CHECK_FALSE(f.store->trouble()->reads_only);
        f.clock.advance(5s);
        f.store->look_after();
        f.run();
        CHECK(f.store->trouble()->since == began);
    }
    f.store->look_after();
    f.run();
    CHECK_FALSE(f.store->trouble().has_value());
}

TEST_CASE("store health: what SQLite says of a failure") {
    const auto failure = [](int detail) {
        return Error{.code = Errc::storage, .detail = detail, .context = "x"};
    };
    constexpr int busy = 5;
    constexpr int busy_recovery = 261;
    constexpr int full = 13;
    constexpr int io_write = 778;
    constexpr int io_sync = 1034;
    const std::filesystem::path here = ".";
    CHECK(db::fault_of(failure(busy), here) == StoreFault::locked);
    CHECK(db::fault_of(failure(busy_recovery), here) == StoreFault::locked);
    CHECK(db::fault_of(failure(full), here) == StoreFault::full);
    CHECK(db::fault_of(failure(io_write), here) == StoreFault::failing);
    // Which has no room at all.
    CHECK(db::fault_of(failure(io_write), "/proc") == StoreFault::full);
    CHECK(db::fault_of(failure(io_sync), "/proc") == StoreFault::failing);
}
