// The ids of a box that joins a fleet carry its number.
#include "db/engine/migrate.hpp"
#include "db/upkeep/check.hpp"
#include "src/base/box_ids.hpp"
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

StoreFixture box(const std::filesystem::path& path, std::int32_t number) {
    return StoreFixture({.path = path, .box = BoxNumber{number}});
}

int oldest_reader(const std::filesystem::path& path) {
    return db::Connection::open(path, {.read_only = true})
        .value()
        ->scalar<int>("SELECT oldest FROM schema_reader", 0);
}

std::vector<EventSeq> told(StoreFixture& f, EventSeq after, std::size_t limit = 100) {
    std::vector<EventSeq> seqs;
    const auto read = [&](ports::StoreReader& r) { return r.events(after, limit); };
    const auto events = f.look(read);
    for (const Event& event : *events) {
        seqs.push_back(event.seq);
    }
    return seqs;
}

}  // namespace

TEST_CASE("fleet ids: a box without a number gives the ids that it always gave") {
    StoreFixture f;
    const MessageId id = f.accepted();
    CHECK(id.value == 1);
    CHECK(oldest_reader(f.folder.file("smsrack.db")) == db::readable_from);
}

TEST_CASE(
    "fleet ids: from its joining on they are in the box's range, behind all that were before") {
    for (const std::int32_t number : {1, 7, box_number_max}) {
        CAPTURE(number);
        const test::TempFolder folder;
        const auto path = folder.file("smsrack.db");
        MessageId old;
        {
            StoreFixture f({.path = path});
            old = f.sent(1);
        }
        StoreFixture f = box(path, number);
        f.clock.advance(1h);
        const MessageId id = f.sent(2);
        CHECK(number_of_box(id) == BoxNumber{number});
        CHECK(id.value == before_ids_of(BoxNumber{number}) + 1);
        f.reopen();
        const MessageId next = f.accepted();
        CHECK(next > id);
        CHECK(number_of_box(next) == BoxNumber{number});

        // Every list and place in time goes over the step.
        const auto all = f.look([](ports::StoreReader& r) { return r.messages({}); }).value();
        REQUIRE(all.size() == 3);
        CHECK(all[0].id == next);
        CHECK(all[2].id == old);
        const auto since = f.look(
            [&](ports::StoreReader& r) { return r.messages({.since = f.clock.wall() - 1min}); });
        CHECK(since->size() == 2);
        const auto page =
            f.look([&](ports::StoreReader& r) { return r.messages({.before = id, .limit = 5}); });
        REQUIRE(page->size() == 1);
        CHECK(page->front().id == old);
        const auto events = told(f, {});
        CHECK(std::ranges::is_sorted(events));
        CHECK(events.size() == 7);
        CHECK(told(f, EventSeq{id.value}).size() == 3);
        CHECK(f.look([](ports::StoreReader& r) { return r.last_event(); }).value() ==
              events.back());
        CHECK(f.state(id) == MessageState::sent);
        CHECK(f.keep(f.report(2))->matched);
        CHECK(f.state(id) == MessageState::delivered);
        CHECK(db::check(path)->problems.empty());
    }
}

TEST_CASE("fleet ids: programs that know no fleet may not use the database of a box that joined") {
    const test::TempFolder folder;
    const auto path = folder.file("smsrack.db");
    { const StoreFixture f = box(path, 3); }
    CHECK(oldest_reader(path) == 28);
    { const StoreFixture f({.path = path}); }
    CHECK(oldest_reader(path) == 28);
}

TEST_CASE("fleet ids: a box that has left keeps its range, and a lower number is refused") {
    const test::TempFolder folder;
    const auto path = folder.file("smsrack.db");
    { const StoreFixture f = box(path, 5); }
    {
        StoreFixture f({.path = path});
        CHECK(number_of_box(f.accepted()) == BoxNumber{5});
    }
    {
        StoreFixture f({.path = path, .box = BoxNumber{4}}, StoreFixture::Begin::closed);
        const auto opened = f.try_open();
        REQUIRE_FALSE(opened);
        CHECK(opened.error().code == Errc::conflict);
        CHECK(opened.error().context.contains("box 5"));
    }
    StoreFixture f = box(path, 9);  // it has joined again
    CHECK(number_of_box(f.accepted()) == BoxNumber{9});
}

TEST_CASE("fleet ids: where a damaged database is set aside, the new one is in the box's range") {
    const test::TempFolder folder;
    const auto path = folder.file("smsrack.db");
    MessageId before;
    {
        StoreFixture f = box(path, 8);
        before = f.accepted();
    }
    {
        std::ofstream file(path, std::ios::binary | std::ios::in);
        file << std::string(1'024, 'x');
    }
    std::filesystem::remove(path.string() + "-wal");
    StoreFixture f = box(path, 8);
    const MessageId id = f.accepted();
    CHECK(number_of_box(id) == BoxNumber{8});
    CHECK(id.value > before.value + 1'000'000);
}
