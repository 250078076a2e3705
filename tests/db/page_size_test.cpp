// Pages are small in a new database, and become so in the database of an earlier release.
#include "db/engine/migrate.hpp"
#include "db/upkeep/check.hpp"
#include "tests/db/store_fixture.hpp"

#include <filesystem>

using namespace smsrack;
using test::StoreFixture;

namespace {

constexpr int old_page_octets = 4'096;

/// As an earlier release left it.
void begin_old(const std::filesystem::path& file) {
    const auto connection =
        db::Connection::open(file, {.may_create = true, .journal = db::Journal::none});
    REQUIRE(connection);
    (*connection)->script("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL;");
    REQUIRE(db::migrate(**connection, db::migrations()));
}

int page_octets(const std::filesystem::path& file) {
    const auto connection = db::Connection::open(file, {.read_only = true});
    REQUIRE(connection);
    return (*connection)->page_octets();
}

struct OldDatabase : StoreFixture {
    explicit OldDatabase(db::SqliteStoreSettings settings = {})
        : StoreFixture(std::move(settings), Begin::closed) {
        begin_old(file);
    }
    const std::filesystem::path file = folder.file("smsrack.db");
};

}  // namespace

TEST_CASE("pages: a new database has small ones") {
    const StoreFixture f;
    CHECK(page_octets(f.folder.file("smsrack.db")) == db::new_page_octets);
    CHECK(db::new_page_octets < old_page_octets);
}

TEST_CASE("pages: the next start rewrites the database of an earlier release, with all its rows") {
    OldDatabase f;
    std::vector<MessageId> ids;
    {
        StoreFixture before({.path = f.file, .rewrite_max = 0});
        CHECK(page_octets(f.file) == old_page_octets);
        for (int i = 0; i < 50; ++i) {
            ids.push_back(before.accepted(before.message("+3361234" + std::to_string(1000 + i))));
        }
        REQUIRE(before.begin(ids.front()));
    }
    f.open();
    CHECK(page_octets(f.file) == db::new_page_octets);
    for (const MessageId id : ids) {
        CHECK(f.detail(id).message.id == id);
    }
    CHECK(f.detail(ids.front()).message.state == MessageState::uncertain);  // found open
    CHECK(f.accepted().value > ids.back().value);
    f.store.reset();
    const auto checked = db::check(f.file);
    REQUIRE(checked);
    CHECK(checked->problems.empty());
}

TEST_CASE("pages: what would make the start wait for long keeps its pages") {
    OldDatabase f({.rewrite_max = 10'000});
    f.open();
    CHECK(page_octets(f.file) == old_page_octets);
    CHECK(f.accepted().value > 0);
}

TEST_CASE("pages: a hand-over leaves them, because the lines wait for it") {
    OldDatabase f({.taken_over = {.closed_well = true}});
    f.open();
    CHECK(page_octets(f.file) == old_page_octets);
}

TEST_CASE("pages: a start does not wait for another process that reads") {
    OldDatabase f;
    auto reader = db::Connection::open(f.file, {.read_only = true});
    REQUIRE(reader);
    (*reader)->script("BEGIN; SELECT sequence FROM head;");
    f.open();
    CHECK(f.accepted().value > 0);
    CHECK(page_octets(f.file) == old_page_octets);
    reader->reset();
    f.reopen();
    CHECK(page_octets(f.file) == db::new_page_octets);
}
