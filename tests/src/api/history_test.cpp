#include "src/base/time_text.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

using ports::HistoryPoint;
using ports::HistorySeries;

/// It is 2026-01-10T12:03:30Z; the rack has m0 and m1.
struct HistoryRig : ApiRig {
    HistoryRig() {
        clock.set_date(time_of("2026-01-10T12:03:30Z").value());
        rack.line_views = {{.name = "m1"}, {.name = "m0"}};
    }

    /// The question that the store got; the request must be one that is understood.
    ports::HistoryQuestion question_of(const std::string& parameters) {
        rack_store.asked_history.clear();
        (void)get(parameters);
        REQUIRE(rack_store.asked_history.size() == 1);
        return rack_store.asked_history[0];
    }
    Responder get(const std::string& parameters) { return done("GET", "/v1/history" + parameters); }
    std::string refusal(const std::string& parameters) {
        const auto answer = get(parameters);
        CHECK(answer->answer.status == 400);
        return answer->json()["detail"].get<std::string>();
    }
};

std::string time_of_minute(std::int64_t minute) {
    return time_text(WallTime(std::chrono::minutes(minute)));
}

}  // namespace

TEST_CASE("GET /v1/history: the time is rounded out to whole steps, and ends where rows end") {
    HistoryRig rig;
    struct Asked {
        const char* what;
        const char* parameters;
        std::int64_t step;
        const char* from;  // with the hour before it, where steps are shorter
        const char* to;
    };
    for (const Asked& it : {
             Asked{"no parameter: the last day by the hour", "", 60, "2026-01-09T12:00:00.000Z",
                   "2026-01-10T13:00:00.000Z"},
             Asked{"minutes: without the one that is not over",
                   "?step=1m&from=2026-01-10T11:00:59Z", 1, "2026-01-10T10:00:00.000Z",
                   "2026-01-10T12:03:00.000Z"},
             Asked{"five minutes: with those that are not over",
                   "?step=5m&from=2026-01-10T11:03:00Z", 5, "2026-01-10T10:00:00.000Z",
                   "2026-01-10T12:05:00.000Z"},
             Asked{"a zone of the caller's", "?from=2026-01-08T02:00:00+02:00", 60,
                   "2026-01-08T00:00:00.000Z", "2026-01-10T13:00:00.000Z"},
             Asked{"days of UTC", "?step=1d&from=2026-01-05T18:00:00Z&to=2026-01-07T00:01:00Z",
                   1440, "2026-01-05T00:00:00.000Z", "2026-01-08T00:00:00.000Z"},
             Asked{"an end that is a whole step is not gone beyond",
                   "?from=2026-01-09T00:00:00Z&to=2026-01-09T06:00:00Z", 60,
                   "2026-01-09T00:00:00.000Z", "2026-01-09T06:00:00.000Z"},
             Asked{"an end to come is now", "?to=2027-01-01T00:00:00Z&from=2026-01-10T00:00:00Z",
                   60, "2026-01-10T00:00:00.000Z", "2026-01-10T13:00:00.000Z"},
             Asked{"a time before the clock's first day",
                   "?step=1d&from=1969-12-30T12:00:00Z&to=1969-12-31T12:00:00Z", 1440,
                   "1969-12-30T00:00:00.000Z", "1970-01-01T00:00:00.000Z"},
         }) {
        CAPTURE(it.what);
        const auto question = rig.question_of(it.parameters);
        CHECK(question.step == it.step);
        CHECK(time_of_minute(question.from) == it.from);
        CHECK(time_of_minute(question.to) == it.to);
    }
}

TEST_CASE("GET /v1/history: arrays of the rack and of each modem, in the order of the rack") {
    HistoryRig rig;
    rig.rack_store.series = std::vector<HistorySeries>{
        {.line = "",
         .points = {{.sent = 5, .failed = 1, .received = 2, .waiting = 7}, {}, {.waiting = 0}}},
        {.line = "m0", .points = {{.sent = 5, .signal = -71}, {.signal = 0}, {.received = 3}}},
        {.line = "old", .points = {{.failed = 1}, {}, {}}}};
    const auto history = rig.get("?from=2026-01-10T10:00:00Z")->json();
    CHECK(history["from"] == "2026-01-10T10:00:00.000Z");
    CHECK(history["to"] == "2026-01-10T13:00:00.000Z");
    CHECK(history["step"] == "1h");
    CHECK(history["all"].dump() ==
          R"({"failed":[1,0,0],"received":[2,0,0],"sent":[5,0,0],"waiting":[7,null,0]})");
    REQUIRE(history["modems"].size() == 3);
    CHECK(history["modems"][0]["name"] == "m1");
    CHECK(history["modems"][0]["sent"].dump() == "[0,0,0]");
    CHECK(history["modems"][1].dump() ==
          R"({"failed":[0,0,0],"name":"m0","received":[0,0,3],"sent":[5,0,0],)"
          R"("signal_dbm":[-71,null,null]})");
    CHECK(history["modems"][2]["name"] == "old");
}

TEST_CASE("GET /v1/history: below an hour, depth and signal hold until they are written again") {
    HistoryRig rig;
    constexpr std::size_t lead = 12;
    HistorySeries all{.line = "", .points = std::vector<HistoryPoint>(lead + 13)};
    all.points[lead - 1].waiting = 4;
    all.points[lead + 1].waiting = 6;
    HistorySeries one{.line = "m0", .points = std::vector<HistoryPoint>(lead + 13)};
    one.points[0].signal = -71;  // an hour before the second step
    rig.rack_store.series = std::vector{all, one};
    const auto history = rig.get("?step=5m&from=2026-01-10T11:00:00Z")->json();
    CHECK(history["all"]["waiting"].dump() == "[4,6,6,6,6,6,6,6,6,6,6,6,6]");
    CHECK(history["modems"][1]["signal_dbm"][0].is_null());
    one.points[1].signal = -73;
    rig.rack_store.series = std::vector{all, one};
    const auto later = rig.get("?step=5m&from=2026-01-10T11:00:00Z")->json();
    CHECK(later["modems"][1]["signal_dbm"][0] == -73);
    CHECK(later["modems"][1]["signal_dbm"][1].is_null());
    CHECK(later["modems"][1]["sent"].size() == 13);
}

TEST_CASE("GET /v1/history: one modem") {
    HistoryRig rig;
    const auto history = rig.get("?from=2026-01-10T10:00:00Z&modem=m0")->json();
    CHECK(rig.rack_store.asked_history.back().only == "m0");
    REQUIRE(history["modems"].size() == 1);
    CHECK(history["modems"][0]["name"] == "m0");
    const auto unknown = rig.get("?modem=m7");
    CHECK(unknown->answer.status == 404);
    CHECK(unknown->json()["detail"].get<std::string>().contains("m7"));
    rig.rack_store.series = std::vector<HistorySeries>{{.line = ""}, {.line = "m7"}};
    CHECK(rig.get("?modem=m7")->answer.status == 200);  // it was one
}

TEST_CASE("GET /v1/history: what is too much is refused with the step that fits") {
    HistoryRig rig;
    rig.rack.line_views.clear();
    for (int i = 0; i < 16; ++i) {
        rig.rack.line_views.push_back({.name = fmt::format("m{}", i)});
    }
    struct Asked {
        const char* parameters;
        const char* says;
    };
    for (const Asked& it : {
             Asked{"?step=1m", "step=5m fits"},  // 1,440 by 17
             Asked{"?step=1m&from=2026-01-09T12:00:00Z", "step=5m fits"},
             Asked{"?step=1h&from=2025-11-01T00:00:00Z", "step=1d fits"},
             Asked{"?step=1d&from=2000-01-01T00:00:00Z", "name one modem, or ask for less time"},
             Asked{"?step=1h&from=0001-01-01T00:00:00Z", "name one modem, or ask for less time"},
             Asked{"?step=1m&from=2026-01-08T11:59:00Z", "minutes are kept since 2026-01-08T12:00"},
             Asked{"?step=2h", "step: not 1m, 5m, 1h or 1d"},
             Asked{"?from=yesterday", "from: "},
             Asked{"?to=x", "to: "},
             Asked{"?from=2026-01-10T10:00:00Z&to=2026-01-10T09:00:00Z", "from: it is after"},
             Asked{"?modems=m0", "unknown query parameter"},
         }) {
        CAPTURE(it.parameters);
        CHECK(rig.refusal(it.parameters).contains(it.says));
    }
    CHECK(rig.rack_store.asked_history.empty());
    CHECK(rig.question_of("?step=1m&modem=m3").series_max == 11);
    // Modems of earlier configurations count too.
    rig.rack_store.series = std::vector<HistorySeries>(700);
    CHECK(rig.refusal("").contains("step=1d fits"));
    rig.rack_store.series = fail(Errc::storage, "the disk");
    CHECK(rig.get("")->answer.status == 507);
    CHECK(rig.done_by(rig.sender, "GET", "/v1/history")->answer.status == 403);
}

TEST_CASE("GET /v1/history: the largest answer fits what its account must have room for") {
    HistoryRig rig;
    rig.rack.line_views.clear();
    const HistoryPoint busy{
        .sent = 999'999, .failed = 99'999, .received = 999'999, .waiting = 999'999, .signal = -113};
    std::vector<HistorySeries> series(16'384 / 25);
    for (std::size_t i = 0; i < series.size(); ++i) {
        series[i] = {.line = i == 0 ? "" : fmt::format("modem-with-a-name-{}", i),
                     .points = std::vector<HistoryPoint>(25, busy)};
    }
    rig.rack_store.series = series;
    const auto answer = rig.get("");
    CHECK(answer->answer.status == 200);
    CHECK(answer->answer.body.size() < answer->route->answer_bytes);
}

}  // namespace smsrack::test
