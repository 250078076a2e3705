#include "src/causes/error_file.hpp"

#include "tests/support/error_table.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string problems(std::string_view text) {
    const auto rows = causes::load_causes(text, "e.toml");
    return rows ? "" : rows.error().text();
}

std::string one_row(std::string_view section, std::string_view members) {
    return fmt::format("{} = [\n    {{ {}, meaning = \"m\", advice = \"a\" }},\n]\n", section,
                       members);
}

}  // namespace

TEST_CASE("errors.toml: every code that may come has a row, with words for people") {
    struct Range {
        CodeKind kind;
        int first;
        int last;
    };
    for (const Range& range :
         {Range{CodeKind::cms, 0, 65'535}, Range{CodeKind::cme, 0, 65'535},
          Range{CodeKind::tp_status, 0, 0xFF}, Range{CodeKind::plain_error, 0, 0}}) {
        for (int code = range.first; code <= range.last; ++code) {
            const CauseInfo& info = test::error_table.info({range.kind, code});
            if (info.meaning == "a code that the table does not know") {
                FAIL("no row for kind ", static_cast<int>(range.kind), " code ", code);
            }
        }
    }
    for (const CauseRow& row : test::error_table.rows()) {
        CAPTURE(row.first);
        CHECK_FALSE(row.info.meaning.empty());
        CHECK_FALSE(row.info.advice.empty());
    }
}

TEST_CASE("errors.toml: the class of a code decides what happens next") {
    struct Row {
        const char* so;
        Cause cause;
        bool pdu_sent;
        CauseClass expected;
    };
    using enum CauseClass;
    for (const Row& row : {
             Row{"an unassigned number stays one", {CodeKind::cms, 1}, true, permanent},
             Row{"500 before the PDU: nothing can have gone out",
                 {CodeKind::cms, 500},
                 false,
                 transient},
             Row{"500 after the PDU: it may have gone out", {CodeKind::cms, 500}, true, ambiguous},
             Row{"so may 512", {CodeKind::cms, 512}, true, ambiguous},
             Row{"and 513", {CodeKind::cms, 513}, true, ambiguous},
             Row{"which is the network's before", {CodeKind::cms, 513}, false, network},
             Row{"and 514", {CodeKind::cms, 514}, true, ambiguous},
             Row{"332 is always in doubt", {CodeKind::cms, 332}, true, ambiguous},
             Row{"an unlisted relay cause is the network's", {CodeKind::cms, 60}, true, network},
             Row{"an unlisted cause of the centre may pass", {CodeKind::cms, 200}, true, transient},
             Row{"an unlisted equipment error is the modem's", {CodeKind::cms, 399}, true, modem},
             Row{"an unlisted vendor code after the PDU is in doubt",
                 {CodeKind::cms, 999},
                 true,
                 ambiguous},
             Row{"ERROR alone after the PDU is in doubt",
                 {CodeKind::plain_error, 0},
                 true,
                 ambiguous},
             Row{"ERROR alone before the PDU may pass",
                 {CodeKind::plain_error, 0},
                 false,
                 transient},
             Row{"no cause has no class", {}, true, none},
             Row{"a barred SIM counts towards its protection", {CodeKind::cms, 8}, true, quota},
             Row{"a full store is the modem's", {CodeKind::cms, 322}, false, modem},
             Row{"a wrong PDU is our mistake", {CodeKind::cms, 304}, false, bug},
             Row{"SIM missing (CME) is the modem's", {CodeKind::cme, 10}, false, modem},
             Row{"a personalisation lock too", {CodeKind::cme, 44}, false, modem},
         }) {
        CAPTURE(row.so);
        CHECK(test::error_table.info(row.cause).class_of(row.pdu_sent) == row.expected);
    }
}

TEST_CASE("errors.toml: only these codes are special") {
    struct Row {
        int code;
        std::optional<std::uint16_t> tries;
        std::optional<std::chrono::seconds> pause;
        bool without_validity;
        bool arrived;
    };
    const std::vector<Row> special{
        {21, 2, {}, false, false},   {27, {}, 300s, false, false}, {95, 2, {}, false, false},
        {96, 2, {}, false, false},   {97, 2, {}, false, false},    {98, 2, {}, false, false},
        {99, 2, {}, false, false},   {111, 2, {}, false, false},   {127, 2, {}, false, false},
        {197, {}, {}, false, true},  {198, 2, {}, true, false},    {199, 2, {}, true, false},
        {212, {}, 2s, false, false}, {255, 2, {}, false, false},   {302, 2, {}, false, false},
        {314, {}, 2s, false, false}, {512, {}, 2s, false, false},  {515, {}, 2s, false, false},
    };
    for (int code = 0; code < 1'000; ++code) {
        CAPTURE(code);
        const CauseInfo& info = test::error_table.info({CodeKind::cms, code});
        const auto found = std::ranges::find(special, code, &Row::code);
        const Row expected = found == special.end() ? Row{code, {}, {}, false, false} : *found;
        CHECK(info.tries == expected.tries);
        CHECK(info.pause == expected.pause);
        CHECK(info.without_validity == expected.without_validity);
        CHECK(info.arrived == expected.arrived);
    }
}

TEST_CASE("errors.toml: every TP-Status ends its segment, or leaves it to a later report") {
    for (int status = 0; status <= 0xFF; ++status) {
        CAPTURE(status);
        const auto event = test::error_table.report_event(static_cast<std::uint8_t>(status));
        if (status == 0x01 || (status >= 0x20 && status < 0x40)) {
            CHECK_FALSE(event);
        } else if (status < 0x20) {
            CHECK(event == MessageEvent::delivery);
        } else if (status == 0x46) {
            CHECK(event == MessageEvent::too_late);
        } else {
            CHECK(event == MessageEvent::refusal);
        }
    }
}

TEST_CASE("load_causes: a row says all that it may say") {
    const auto rows = causes::load_causes(
        "cms = [{ code = 500, to = 0x1FF, class = \"quota\", after_pdu = \"ambiguous\", tries = 4, "
        "pause_s = 60, without_validity = true, arrived = true, meaning = \"m\", advice = \"a\" "
        "}]\n",
        "e.toml");
    REQUIRE(rows);
    REQUIRE(rows->size() == 1);
    const CauseRow& row = rows->front();
    CHECK(row.kind == CodeKind::cms);
    CHECK(row.first == 500);
    CHECK(row.last == 511);
    CHECK(row.info.class_of(false) == CauseClass::quota);
    CHECK(row.info.class_of(true) == CauseClass::ambiguous);
    CHECK(row.info.tries == 4);
    CHECK(row.info.pause == 60s);
    CHECK(row.info.without_validity);
    CHECK(row.info.arrived);
    CHECK(row.info.meaning == "m");
    CHECK(row.info.advice == "a");
}

TEST_CASE("load_causes: what is wrong is named with its line") {
    struct Row {
        std::string text;
        const char* problem;
    };
    for (const Row& row : {
             Row{one_row("cms", "code = 1, class = \"odd\""),
                 "e.toml:2: cms.class: must be one of \"none\", \"permanent\", \"transient\", "
                 "\"modem\", \"network\", \"ambiguous\", \"quota\", \"bug\"\n"},
             Row{one_row("cms", "class = \"bug\""), "e.toml:2: cms.code: is required\n"},
             Row{one_row("cms", "code = 1, class = \"bug\", trie = 3"),
                 "e.toml:2: cms.trie: unknown key; did you mean \"tries\"?\n"},
             Row{one_row("cms", "code = 9, to = 8, class = \"bug\""),
                 "e.toml:2: cms.to: must not be below \"code\"\n"},
             Row{one_row("cms", "code = -1, class = \"bug\""),
                 "e.toml:2: cms.code: must be from 0 to 65535\n"},
             Row{one_row("cms", "code = 1, class = \"bug\", says = \"pending\""),
                 "e.toml:2: cms.says: is for tp_status only\n"},
             Row{one_row("tp_status", "code = 1, class = \"none\""),
                 "e.toml:2: tp_status.says: is required\n"},
             Row{one_row("tp_status", "code = 256, class = \"none\", says = \"pending\""),
                 "e.toml:2: tp_status.code: a TP-Status is one octet\n"},
             Row{one_row("error", "code = 3, class = \"none\""),
                 "e.toml:2: error.code: must be 0: ERROR alone has no code\n"},
             Row{"cms = [{ code = 1, class = \"bug\", meaning = \"\", advice = \"a\" }]",
                 "e.toml:1: cms.meaning: must say something\n"},
             Row{"cms = [\n{ code = 1, class = \"bug\", meaning = \"m\", advice = \"a\" },\n"
                 "{ code = 1, class = \"none\", meaning = \"m\", advice = \"a\" },\n]",
                 "e.toml:3: cms.code: has a row already\n"},
             Row{"cns = []", "e.toml:1: cns: unknown key; did you mean \"cms\"?\n"},
             Row{"cms = 3", "e.toml:1: cms: must be an array of tables, not a whole number\n"},
             Row{"cms = [3]", "e.toml:1: cms: must be a table in braces, not a whole number\n"},
         }) {
        CAPTURE(row.text);
        CHECK(problems(row.text) == row.problem);
    }
    CHECK(problems("cms = [").starts_with("e.toml:1: "));
    CHECK(problems("").empty());
}
