#include "tools/smsrack/messages/segment_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace smsrack;
using namespace smsrack::cli;

namespace {

constexpr const char* two_segments = R"({"id":"42","to":"+33612345678","state":"sending",
    "priority":3,"segments":2,"group":"default","created_at":"2026-11-21T02:31:21.123Z","code":null,
    "report":true,"text":"a long text","expires_at":"2026-11-22T02:31:21.123Z",
    "segment_states":[{"segment":1,"state":"delivered","tp_mr":7,"tp_status":0,
                       "reported_at":"2026-11-21T02:31:25.000Z"}],
    "attempts":[{"segment":1,"at":"2026-11-21T02:31:21.200Z","ended_at":"2026-11-21T02:31:22.000Z",
                 "modem":"m1","outcome":"refused","code":"cms_500","cause":"unknown error"},
                {"segment":1,"at":"2026-11-21T02:31:23.000Z","ended_at":"2026-11-21T02:31:24.000Z",
                 "modem":"m2","outcome":"accepted","tp_mr":7,"code":null}]})";

}  // namespace

TEST_CASE("segment_rows: a row for each segment, also for one that was not tried yet") {
    const auto rows = segment_rows(*wire::parse_json(two_segments));
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["segment"] == 1);
    CHECK(rows[0]["state"] == "delivered");
    CHECK(rows[0]["modem"] == "m2");
    CHECK(rows[0]["attempts"] == 2);
    CHECK(rows[0]["outcome"] == "accepted");
    CHECK(rows[0]["code"].is_null());
    CHECK(rows[0]["started_at"] == "2026-11-21T02:31:23.000Z");
    CHECK(rows[1]["segment"] == 2);
    CHECK(rows[1]["state"] == "sending");
    CHECK(rows[1]["modem"].is_null());
    CHECK(rows[1]["attempts"] == 0);
    for (const auto& row : rows) {
        for (const std::string_view column : segment_columns()) {
            CAPTURE(column);
            CHECK(row.contains(column));
        }
        CHECK(row.size() == segment_columns().size());
    }
}

TEST_CASE("segment_rows: one that ended before an attempt says why") {
    const auto rows = segment_rows(
        *wire::parse_json(R"({"id":"1","state":"expired","segments":1,"code":"ttl"})"));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["code"] == "ttl");
}

TEST_CASE("csv_field: quoted where it must be, and no cell is calculated by a spreadsheet") {
    struct Case {
        const char* text;
        const char* spreadsheet;
        const char* raw;
    };
    for (const Case& one : {
             Case{"", "", ""},
             Case{"sent", "sent", "sent"},
             Case{"a,b", "\"a,b\"", "\"a,b\""},
             Case{"say \"x\"", "\"say \"\"x\"\"\"", "\"say \"\"x\"\"\""},
             Case{"two\nlines", "\"two\nlines\"", "\"two\nlines\""},
             Case{"+33612345678", "\"'+33612345678\"", "+33612345678"},
             Case{"=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\"", "\"=cmd|' /C calc'!A0\""},
             Case{"-1+1", "\"'-1+1\"", "-1+1"},
             Case{"@SUM(A1)", "\"'@SUM(A1)\"", "@SUM(A1)"},
             Case{"\t=1", "\"'\t=1\"", "\"\t=1\""},
             Case{"\uFF1D1", "\"'\uFF1D1\"", "\uFF1D1"},
             Case{"1=1", "1=1", "1=1"},
         }) {
        CAPTURE(one.text);
        CHECK(csv_field(one.text, true) == one.spreadsheet);
        CHECK(csv_field(one.text, false) == one.raw);
    }
}
