// What the store counts by the minute: through a running store, in simulated time.
#include "db/write/rack_history.hpp"

#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

using Lines = std::vector<ports::LineSignal>;

/// The first minute of ManualClock, which begins an hour.
std::int64_t first_minute() {
    return ports::minute_of(test::ManualClock().wall());
}

/// "hour 60 m0 1/0/2 -71": span, minute, line, sent/failed/received, and what was last. In order.
std::vector<std::string> rows_in(const std::filesystem::path& database) {
    const auto read = db::read_alone(database, [](db::Connection& db) {
        std::vector<std::string> rows;
        db::Rows row = db.query(
            "SELECT span, at, line, sent, failed, received, coalesce(signal, waiting) FROM history "
            "ORDER BY at, line");
        while (row.next()) {
            int span = 0;
            std::int64_t at = 0;
            std::string line;
            ports::HistoryPoint point;
            row.read(span, at, line, point.sent, point.failed, point.received, point.signal);
            rows.push_back(fmt::format("{}{} {} {}/{}/{}{}", span == 0 ? "hour " : "",
                                       at - first_minute(), line.empty() ? "rack" : line,
                                       point.sent, point.failed, point.received,
                                       point.signal ? fmt::format(" {}", *point.signal) : ""));
        }
        return rows;
    });
    REQUIRE(read);
    return *read;
}

std::vector<std::string> rows_in(const StoreFixture& f) {
    return rows_in(f.folder.file("smsrack.db"));
}

/// What the service does when a minute is over.
void tick(StoreFixture& f, Lines lines = {}) {
    REQUIRE(f.ask(ports::NoteSignals{std::move(lines)}));
}

void next_minute(StoreFixture& f, Lines lines = {}) {
    f.clock.advance(1min);
    tick(f, std::move(lines));
}

void report(StoreFixture& f, std::uint8_t tp_mr, std::uint8_t tp_status) {
    REQUIRE(f.keep(f.report(tp_mr, tp_status))->matched);
}

using Rows = std::vector<std::string>;

}  // namespace

TEST_CASE(
    "rack history: a minute is one row of the rack and one of each modem that did something") {
    StoreFixture f;
    struct Step {
        const char* what;
        std::function<void()> happens;
        Rows rows;  // that come with it
    };
    const std::vector<Step> steps{
        {"a minute that is not over has no row", [&] { f.sent(1); }, {}},
        {"it is written with the first batch after it",
         [&] { next_minute(f); },
         {"0 rack 1/0/0 0", "0 m0 1/0/0"}},
        {"what happens in one minute adds up, of all modems",
         [&] {
             f.sent(2);
             f.accepted();
             f.keep(f.inbound("hello"));
             f.clock.advance(30s);
             f.sent(3);
             f.clock.advance(29s);
             tick(f);
             next_minute(f);
         },
         {"1 rack 2/0/1 1", "1 m0 2/0/1"}},
        {"a minute in which nothing happened has none", [&] { next_minute(f); }, {}},
        {"more messages that wait are a row of the rack",
         [&] {
             f.accepted();
             next_minute(f);
         },
         {"3 rack 0/0/0 2"}},
        {"nothing for the rest of the hour",
         [&] {
             f.clock.advance(55min);
             tick(f);
         },
         {}},
        {"once an hour there is a row, so that a gap is no outage",
         [&] {
             next_minute(f);
             next_minute(f);
         },
         {"60 rack 0/0/0 2"}},
    };
    Rows expected;
    for (const Step& step : steps) {
        CAPTURE(step.what);
        step.happens();
        expected.insert(expected.end(), step.rows.begin(), step.rows.end());
        // by minute, then by name: the rack's name is empty
        CHECK(rows_in(f) == expected);
    }
}

TEST_CASE("rack history: a message is sent once and fails once, however it comes to that") {
    StoreFixture f;
    struct Way {
        const char* what;
        std::function<void()> goes;
        const char* row;  // of the rack
    };
    const std::vector<Way> ways{
        {"sent, then delivered",
         [&] {
             f.sent(1);
             report(f, 1, 0);
         },
         "rack 1/0/0 0"},
        {"sent, then undelivered: both",
         [&] {
             f.sent(2);
             report(f, 2, 70);
         },
         "rack 1/1/0 0"},
        {"uncertain, then delivered: the report proves that it was sent",
         [&] {
             const MessageId id = f.accepted();
             REQUIRE(f.end(f.silent(id, f.begin(id).value())));
             report(f, 3, 0);
         },
         "rack 1/0/0 0"},
        {"uncertain for too long",
         [&] {
             const MessageId id = f.accepted();
             REQUIRE(f.end(f.silent(id, f.begin(id).value())));
             REQUIRE(f.finish(id, MessageEvent::give_up));
         },
         "rack 0/1/0 0"},
        {"expired before an attempt",
         [&] { REQUIRE(f.finish(f.accepted(), MessageEvent::too_late)); }, "rack 0/1/0 0"},
        {"cancelled: neither",
         [&] {
             REQUIRE(f.finish(f.accepted(), MessageEvent::cancel));
             f.accepted();  // so that there is a row
         },
         "rack 0/0/0 1"},
    };
    std::int64_t minute = 0;
    for (const Way& way : ways) {
        CAPTURE(way.what);
        way.goes();
        next_minute(f);
        const Rows rows = rows_in(f);
        CHECK(std::ranges::count(rows, fmt::format("{} {}", minute++, way.row)) == 1);
    }
}

TEST_CASE("rack history: a signal is written where it moved, with a message, and once an hour") {
    StoreFixture f;
    struct Step {
        const char* what;
        Lines lines;
        bool sends = false;
        Rows rows;  // that come with it
    };
    const std::vector<Step> steps{
        {"the first minute of all",
         {{"m0", -71}, {"m1", {}}},
         false,
         {"0 rack 0/0/0 0", "0 m0 0/0/0 -71", "0 m1 0/0/0 0"}},
        {"a step up or down is none", {{"m0", -73}, {"m1", {}}}, false, {}},
        {"nor is the same again", {{"m0", -73}, {"m1", {}}}, false, {}},
        {"two steps from the one that was written are",
         {{"m0", -75}, {"m1", {}}},
         false,
         {"3 rack 0/0/0 0", "3 m0 0/0/0 -75"}},
        {"a modem that found its network",
         {{"m0", -75}, {"m1", -91}},
         false,
         {"4 rack 0/0/0 0", "4 m1 0/0/0 -91"}},
        {"and lost it", {{"m0", -75}, {"m1", {}}}, false, {"5 rack 0/0/0 0", "5 m1 0/0/0 0"}},
        {"next to a message it is the one of that minute",
         {{"m0", -77}, {"m1", {}}},
         true,
         {"6 rack 1/0/0 0", "6 m0 1/0/0 -77"}},
    };
    tick(f);
    Rows expected;
    for (const Step& step : steps) {
        CAPTURE(step.what);
        if (step.sends) {
            f.sent(1);
        }
        next_minute(f, step.lines);
        expected.insert(expected.end(), step.rows.begin(), step.rows.end());
        CHECK(rows_in(f) == expected);
    }
    f.clock.advance(1h);
    tick(f, steps.back().lines);
    next_minute(f, steps.back().lines);
    CHECK(rows_in(f).size() == expected.size() + 3);
}

TEST_CASE("rack history: a store that is closed within a minute counts on in it") {
    StoreFixture f;
    f.sent(1);
    f.reopen();
    CHECK(rows_in(f) == Rows{"0 rack 1/0/0 0", "0 m0 1/0/0"});
    f.sent(2);
    f.store->leave_to_next();
    f.reopen();
    f.reopen();
    CHECK(rows_in(f) == Rows{"0 rack 2/0/0 0", "0 m0 2/0/0"});
    next_minute(f);
    f.sent(3);
    next_minute(f);
    CHECK(rows_in(f) == Rows{"0 rack 2/0/0 0", "0 m0 2/0/0", "1 rack 1/0/0 0", "1 m0 1/0/0"});
}

TEST_CASE("rack history: a process that is killed loses its minute, and no other") {
    StoreFixture f;
    f.sent(1);
    next_minute(f);
    f.sent(2);
    // What a kill leaves is what is in the files now.
    StoreFixture killed({}, StoreFixture::Begin::closed);
    for (const char* file : {"smsrack.db", "smsrack.db-wal"}) {
        std::filesystem::copy_file(f.folder.file(file), killed.folder.file(file));
    }
    killed.clock.advance(1min);
    killed.open();
    killed.sent(3);
    next_minute(killed);
    CHECK(rows_in(killed) == Rows{"0 rack 1/0/0 0", "0 m0 1/0/0", "1 rack 1/0/0 0", "1 m0 1/0/0"});
}

TEST_CASE("rack history: a clock that is set adds to the minute that it shows") {
    StoreFixture f;
    const WallTime began = f.clock.wall();
    f.sent(1);
    f.clock.set_date(began + 5h);
    f.sent(2);
    f.clock.set_date(began);
    f.sent(3);
    next_minute(f);
    CHECK(rows_in(f) == Rows{"0 rack 2/0/0 0", "0 m0 2/0/0", "300 rack 1/0/0 0", "300 m0 1/0/0"});
}

TEST_CASE("rack history: what a full disk refuses is written when there is room, and once") {
    StoreFixture f;
    f.sent(1);
    f.clock.advance(1min);
    {
        const test::SmallDisk disk(std::filesystem::file_size(f.folder.file("smsrack.db-wal")));
        CHECK_FALSE(f.accept(f.message()));
    }
    CHECK(rows_in(f).empty());
    f.accepted();
    CHECK(rows_in(f) == Rows{"0 rack 1/0/0 0", "0 m0 1/0/0"});
    next_minute(f);
    CHECK(rows_in(f) == Rows{"0 rack 1/0/0 0", "0 m0 1/0/0", "1 rack 0/0/0 1"});
}
