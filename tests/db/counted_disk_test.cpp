#include "db/engine/counted_disk.hpp"

#include "db/engine/connection.hpp"
#include "tests/db/temp_folder.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using db::Connection;
using stats::Counter;

namespace {

std::unique_ptr<Connection> opened(const std::filesystem::path& file, const db::CountedDisk& disk) {
    auto connection = Connection::open(file, {.may_create = true, .disk = disk.name()});
    REQUIRE(connection.has_value());
    return *std::move(connection);
}

}  // namespace

TEST_CASE("counted disk: a commit waits for the disk once, and writes its pages to the log") {
    const test::TempFolder folder;
    stats::Stats stats;
    const db::CountedDisk disk(stats);
    const auto db = opened(folder.file("a.db"), disk);
    db->script("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (1);");

    const auto syncs = stats.value(Counter::store_syncs);
    const auto pages = stats.value(Counter::store_log_pages);
    const auto octets = stats.value(Counter::store_log_octets);
    const auto in_file = stats.value(Counter::store_file_pages);
    db->run("UPDATE t SET a = 2");
    CHECK(stats.value(Counter::store_syncs) == syncs + 1);
    CHECK(stats.value(Counter::store_log_pages) == pages + 1);
    const auto page = static_cast<std::uint64_t>(db->scalar<int>("PRAGMA page_size", 0));
    CHECK(stats.value(Counter::store_log_octets) == octets + page + 24);  // a frame's header
    CHECK(stats.value(Counter::store_file_pages) == in_file);
}

TEST_CASE("counted disk: a checkpoint writes pages to the database") {
    const test::TempFolder folder;
    stats::Stats stats;
    const db::CountedDisk disk(stats);
    const auto db = opened(folder.file("a.db"), disk);
    db->script("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (1);");
    const auto before = stats.value(Counter::store_file_pages);
    CHECK(db->checkpoint() == 0);
    CHECK(stats.value(Counter::store_file_pages) == before + 2);  // the schema's and the table's
    CHECK(stats.value(Counter::store_file_octets) > 0);
}

TEST_CASE("counted disk: what only reads counts nothing") {
    const test::TempFolder folder;
    stats::Stats stats;
    const db::CountedDisk disk(stats);
    const auto db = opened(folder.file("a.db"), disk);
    db->script("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (1);");
    const auto syncs = stats.value(Counter::store_syncs);
    const auto pages = stats.value(Counter::store_log_pages);
    CHECK(db->scalar<int>("SELECT a FROM t", 0) == 1);
    db->script("BEGIN IMMEDIATE; COMMIT;");
    CHECK(stats.value(Counter::store_syncs) == syncs);
    CHECK(stats.value(Counter::store_log_pages) == pages);
}

TEST_CASE("counted disk: two disks of one process count apart") {
    const test::TempFolder folder;
    stats::Stats one;
    stats::Stats other;
    const db::CountedDisk disk(one);
    const db::CountedDisk another(other);
    CHECK(std::string(disk.name()) != another.name());
    const auto db = opened(folder.file("a.db"), disk);
    db->script("CREATE TABLE t (a INTEGER) STRICT;");
    CHECK(one.value(Counter::store_syncs) > 0);
    CHECK(other.value(Counter::store_syncs) == 0);
}

TEST_CASE("counted disk: each commit is there for another connection, however large") {
    const test::TempFolder folder;
    stats::Stats stats;
    const db::CountedDisk disk(stats);
    const auto db = opened(folder.file("a.db"), disk);
    db->script("CREATE TABLE t (a INTEGER, b BLOB) STRICT;");
    auto reader = Connection::open(folder.file("a.db"), {.read_only = true});
    REQUIRE(reader.has_value());
    for (const int rows : {1, 50, 1'000}) {  // the last ones are more than is gathered
        CAPTURE(rows);
        db->script("BEGIN IMMEDIATE;");
        for (int row = 0; row < rows; ++row) {
            db->run("INSERT INTO t VALUES (?, zeroblob(900))", row);
        }
        CHECK((*reader)->scalar<int>("SELECT count(*) FROM t", -1) == 0);
        db->script("COMMIT;");
        CHECK((*reader)->scalar<int>("SELECT count(*) FROM t", -1) == rows);
        db->script("DELETE FROM t;");
    }
    CHECK((*reader)->scalar<std::string>("PRAGMA integrity_check", {}) == "ok");
}

TEST_CASE("counted disk: a connection that ends leaves a log that the next one reads") {
    const test::TempFolder folder;
    stats::Stats stats;
    const db::CountedDisk disk(stats);
    {
        const auto db = opened(folder.file("a.db"), disk);
        db->keep_log();
        db->script("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (7);");
    }
    CHECK(db::has_log(folder.file("a.db")));
    const auto again = opened(folder.file("a.db"), disk);
    CHECK(again->scalar<int>("SELECT a FROM t", 0) == 7);
}
