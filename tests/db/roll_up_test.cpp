#include "db/upkeep/roll_up.hpp"

#include "tests/db/store_fixture.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

std::int64_t minute(const StoreFixture& f) {
    return ports::minute_of(f.clock.wall());
}

std::vector<ports::HistorySeries> history(StoreFixture& f, const ports::HistoryQuestion& question) {
    const auto found = f.look<ports::RackReader>(
        [&](ports::RackReader& reader) { return reader.history(question); });
    REQUIRE(found);
    return *found;
}

/// "2/0/1 w3 -71, ..." of each step.
std::string text_of(const ports::HistorySeries& series) {
    std::string text;
    for (const ports::HistoryPoint& point : series.points) {
        text +=
            fmt::format("{}{}/{}/{}{}{}", text.empty() ? "" : ", ", point.sent, point.failed,
                        point.received, point.waiting ? fmt::format(" w{}", *point.waiting) : "",
                        point.signal ? fmt::format(" {}", *point.signal) : "");
    }
    return text;
}

/// Twelve messages, one each ten minutes; the signal falls, and ever more wait.
void two_hours(StoreFixture& f) {
    for (int i = 0; i < 12; ++i) {
        f.sent(static_cast<std::uint8_t>(i));
        f.accepted();
        f.clock.advance(1min);
        REQUIRE(f.ask(ports::NoteSignals{{{.line = "m0", .dbm = -60 - 2 * i}}}));
        f.clock.advance(9min);
        REQUIRE(f.ask(ports::NoteSignals{{{.line = "m0", .dbm = -60 - 2 * i}}}));
    }
}

std::size_t upkeep(StoreFixture& f, WallTime before, std::size_t limit = 100) {
    return f.ask(ports::RemoveOld{before, before, limit}).value();
}

std::int64_t rows_of_span(const StoreFixture& f, int span) {
    const auto count = db::read_alone(f.folder.file("smsrack.db"), [&](db::Connection& db) {
        return db.scalar<std::int64_t>("SELECT count(*) FROM history WHERE span = ?", -1, span);
    });
    REQUIRE(count);
    return *count;
}

}  // namespace

TEST_CASE("rack series: equal steps of time, the rack first, and each modem") {
    StoreFixture f;
    const std::int64_t from = minute(f);
    two_hours(f);
    const auto hours =
        history(f, {.from = from - 60, .to = from + 120, .step = 60, .series_max = 9});
    REQUIRE(hours.size() == 2);
    CHECK(hours[0].line.empty());
    CHECK(text_of(hours[0]) == "0/0/0, 6/0/0 w6, 6/0/0 w12");
    CHECK(hours[1].line == "m0");
    CHECK(text_of(hours[1]) == "0/0/0, 6/0/0 -70, 6/0/0 -82");
    const auto fives = history(f, {.from = from, .to = from + 15, .step = 5, .series_max = 9});
    CHECK(text_of(fives[0]) == "1/0/0 w1, 0/0/0, 1/0/0 w2");
    CHECK(history(f, {.from = from, .to = from + 60, .step = 60, .only = "m7", .series_max = 9})
              .size() == 1);
    CHECK(history(f, {.from = from, .to = from + 60, .step = 60, .only = "m0", .series_max = 9})
              .size() == 2);
    CHECK(history(f, {.from = from, .to = from, .step = 60, .series_max = 9})[0].points.empty());
}

TEST_CASE("rack series: one more than asked for says that there are more") {
    StoreFixture f;
    ports::NoteSignals signals;
    for (int i = 0; i < 20; ++i) {
        signals.lines.push_back({.line = fmt::format("m{:02}", i), .dbm = -60});
    }
    const std::int64_t from = minute(f);
    REQUIRE(f.ask(signals));
    f.clock.advance(1min);
    REQUIRE(f.ask(signals));
    CHECK(history(f, {.from = from, .to = from + 60, .step = 60, .series_max = 21}).size() == 21);
    CHECK(history(f, {.from = from, .to = from + 60, .step = 60, .series_max = 20}).size() == 21);
    CHECK(history(f, {.from = from, .to = from + 60, .step = 60, .series_max = 5}).size() == 6);
}

TEST_CASE("roll up: minutes of two days ago become hours that say the same") {
    StoreFixture f;
    const WallTime began = f.clock.wall();
    const std::int64_t from = minute(f);
    two_hours(f);
    const ports::HistoryQuestion hours{.from = from, .to = from + 120, .step = 60, .series_max = 9};
    const std::string rack = text_of(history(f, hours)[0]);
    const std::string modem = text_of(history(f, hours)[1]);
    CHECK(rack == "6/0/0 w6, 6/0/0 w12");
    f.clock.advance(1min);
    CHECK(upkeep(f, began) == 0);  // the minute with which the third hour begins has its row
    const std::int64_t minutes = rows_of_span(f, 1);

    f.clock.set_date(began + ports::history_minutes_keep + 59min);
    CHECK(upkeep(f, began) == 0);
    CHECK(rows_of_span(f, 1) == minutes);

    f.clock.set_date(began + ports::history_minutes_keep + 60min);
    CHECK(upkeep(f, began, 3) == 3);  // in small steps; between them the answer is the same
    CHECK(rows_of_span(f, 1) < minutes);
    CHECK(rows_of_span(f, 1) > minutes / 2);
    CHECK(text_of(history(f, hours)[0]) == rack);
    CHECK(text_of(history(f, hours)[1]) == modem);
    while (upkeep(f, began, 3) == 3) {
    }
    CHECK(rows_of_span(f, 0) == 2);  // the first hour, of rack and modem
    f.clock.set_date(began + ports::history_minutes_keep + 2h);
    while (upkeep(f, began) > 0) {
    }
    CHECK(rows_of_span(f, 0) == 4);
    CHECK(text_of(history(f, hours)[0]) == rack);
    CHECK(text_of(history(f, hours)[1]) == modem);
}

TEST_CASE("roll up: hours go when messages of that age do") {
    StoreFixture f;
    const WallTime began = f.clock.wall();
    two_hours(f);
    f.clock.set_date(began + 90 * 24h);
    while (upkeep(f, began) > 0) {
    }
    CHECK(rows_of_span(f, 0) == 6);  // three hours, of rack and modem
    while (upkeep(f, began + 59min) > 0) {
    }
    CHECK(rows_of_span(f, 0) == 6);
    while (upkeep(f, began + 61min) > 0) {
    }
    CHECK(rows_of_span(f, 0) == 4);
}
