#include "src/base/time_text.hpp"
#include "src/intake/intake.hpp"
#include "src/pdu/alphabet/utf8.hpp"
#include "src/rules/destinations.hpp"
#include "src/rules/opt_out_words.hpp"
#include "src/rules/premium.hpp"
#include "src/rules/quiet_hours.hpp"
#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::OptOutWish;

namespace {

WallTime moment(const char* text) {
    const auto time = time_of(text);
    REQUIRE(time);
    return *time;
}

TimeZone zone_of(const std::string& name) {
    std::ifstream file("/usr/share/zoneinfo/" + name, std::ios::binary);
    const std::string octets{std::istreambuf_iterator<char>(file), {}};
    const auto zone = TimeZone::parse(octets);
    REQUIRE(zone);
    return *zone;
}

rules::QuietHours quiet(const char* from, const char* to) {
    return {.from = rules::time_of_day(from),
            .to = rules::time_of_day(to),
            .zone = zone_of("Europe/Paris"),
            .below = 5};
}

}  // namespace

TEST_CASE("rules: whom messages may go to, and which rule says no") {
    struct Row {
        const char* so;
        rules::DestinationRules rules;
        const char* to;
        std::optional<rules::Rule> refused;
    };
    for (const Row& row : {
             Row{"no lists", {}, "+33612345678", {}},
             Row{"a short code", {}, "36180", {}},
             Row{"denied", {.deny = {"+336"}}, "+33612345678", rules::Rule::deny},
             Row{"another is denied", {.deny = {"+337"}}, "+33612345678", {}},
             Row{"allowed", {.allow = {"+33"}}, "+33612345678", {}},
             Row{"not allowed", {.allow = {"+33"}}, "+49151123456", rules::Rule::allow},
             Row{"a short code that is not allowed",
                 {.allow = {"+33"}},
                 "36180",
                 rules::Rule::allow},
             Row{"a short code that is", {.allow = {"+33", "36"}}, "36180", {}},
             Row{"the longer one decides: denied",
                 {.allow = {"+33"}, .deny = {"+336"}},
                 "+33612345678",
                 rules::Rule::deny},
             Row{"the longer one decides: allowed",
                 {.allow = {"+33612"}, .deny = {"+336"}},
                 "+33612345678",
                 {}},
             Row{"premium", {}, "+33899123456", rules::Rule::premium},
             Row{"premium is allowed by the country alone: no",
                 {.allow = {"+33"}},
                 "+33899123456",
                 rules::Rule::premium},
             Row{"premium is allowed by its prefix", {.allow = {"+3389"}}, "+33899123456", {}},
             Row{"premium is switched off", {.premium = false}, "+33899123456", {}},
             Row{"denied before premium", {.deny = {"+33"}}, "+33899123456", rules::Rule::deny},
         }) {
        CAPTURE(row.so);
        const auto refusal = rules::refused_destination(row.rules, row.to);
        REQUIRE(refusal.has_value() == row.refused.has_value());
        if (refusal) {
            CHECK(refusal->rule == *row.refused);
            CHECK(rules::error_of(*refusal).code == Errc::forbidden);
            CHECK(rules::error_of(*refusal).context.starts_with(
                "rule " + std::string(rules::rule_name(*row.refused)) + ": "));
            CHECK_FALSE(refusal->sentence.contains("12345"));  // never the number
        }
    }
}

TEST_CASE("rules: numbers that cost more, and their neighbours that don't") {
    struct Row {
        const char* to;
        const char* where;  // empty: a number as others
    };
    for (const Row& row : {
             Row{"+979112345678", "international"},
             Row{"+881612345678", "international"},
             Row{"+88299123456", "international"},
             Row{"+33825123456", "FR"},
             Row{"+33899123456", "FR"},
             Row{"+33612345678", ""},
             Row{"+33912345678", ""},
             Row{"+499001234567", "DE"},
             Row{"+491371234567", "DE"},
             Row{"+491801234567", "DE"},
             Row{"+4915112345678", ""},
             Row{"+4990612345", ""},
             Row{"+449012345678", "GB"},
             Row{"+448712345678", "GB"},
             Row{"+447012345678", "GB"},
             Row{"+447400123456", ""},
             Row{"+448001234567", ""},
             Row{"+34803123456", "ES"},
             Row{"+34905123456", "ES"},
             Row{"+34612345678", ""},
             Row{"+34712345678", ""},
             Row{"+34900123456", ""},
             Row{"+39899123456", "IT"},
             Row{"+39848123456", "IT"},
             Row{"+39166123456", "IT"},
             Row{"+393123456789", ""},
             Row{"+390612345678", ""},
             Row{"+19005551234", "US"},
             Row{"+12129765555", ""},
             Row{"+330899123456", "FR"},  // as "+33 (0)899 ..."
             Row{"+4409012345678", "GB"},
             Row{"+4909001234567", "DE"},
             Row{"+330612345678", ""},
             Row{"+390899123456", ""},  // Salerno: in Italy the 0 is part of the number
         }) {
        CAPTURE(row.to);
        const auto* const range = rules::premium_range(row.to);
        CHECK((range == nullptr ? std::string_view() : range->where) == row.where);
    }
}

TEST_CASE("rules: each premium range is a prefix of its own") {
    for (const auto& range : rules::premium_ranges()) {
        CAPTURE(range.pattern);
        CHECK(range.pattern.starts_with('+'));
        CHECK(range.pattern.size() >= 4);
        CHECK(range.pattern.substr(1).find_first_not_of("0123456789") == std::string_view::npos);
        CHECK_FALSE(range.where.empty());
        CHECK(rules::premium_range(range.pattern) == &range);
    }
}

TEST_CASE("rules: quiet hours begin and end by the clocks of the place") {
    struct Row {
        const char* so;
        const char* from;
        const char* to;
        const char* at;
        const char* end;  // empty: not quiet
    };
    for (const Row& row : {
             Row{"before", "21:00", "08:00", "2026-01-15T19:59:59Z", ""},
             Row{"the first minute", "21:00", "08:00", "2026-01-15T20:00:00Z",
                 "2026-01-16T07:00:00.000Z"},
             Row{"past midnight", "21:00", "08:00", "2026-01-15T23:30:00Z",
                 "2026-01-16T07:00:00.000Z"},
             Row{"the last instant", "21:00", "08:00", "2026-01-16T06:59:59.999Z",
                 "2026-01-16T07:00:00.000Z"},
             Row{"after", "21:00", "08:00", "2026-01-16T07:00:00Z", ""},
             Row{"within one day", "12:00", "14:00", "2026-07-01T10:30:00Z",
                 "2026-07-01T12:00:00.000Z"},
             Row{"within one day, before", "12:00", "14:00", "2026-07-01T09:59:00Z", ""},
             Row{"the night of 23 hours", "21:00", "08:00", "2026-03-28T21:00:00Z",
                 "2026-03-29T06:00:00.000Z"},
             Row{"the night of 25 hours", "21:00", "08:00", "2026-10-24T20:00:00Z",
                 "2026-10-25T07:00:00.000Z"},
             Row{"it ends in the hour that is not", "21:00", "02:30", "2026-03-28T23:00:00Z",
                 "2026-03-29T01:30:00.000Z"},
         }) {
        CAPTURE(row.so);
        const auto hours = quiet(row.from, row.to);
        const auto end = hours.end(Level{4}, moment(row.at));
        CHECK((end ? time_text(*end) : "") == row.end);
        CHECK_FALSE(hours.end(Level{5}, moment(row.at)));
    }
    CHECK_FALSE(rules::QuietHours{.below = 7}.end(Level{0}, moment("2026-01-15T00:00:00Z")));
}

TEST_CASE(
    "rules: an end of quiet hours lies ahead, at any minute of a year with its clock changes") {
    const auto hours = quiet("22:15", "06:45");
    const WallTime year = moment("2026-01-01T00:00:00Z");
    for (auto at = year; at < year + 365 * 24h; at += 7min) {
        const auto end = hours.end(Level{0}, at);
        if (end && (*end <= at || *end > at + 10h)) {
            FAIL(time_text(at), " ends ", time_text(*end));
        }
        if (end && hours.end(Level{0}, *end)) {
            FAIL("quiet at its end: ", time_text(*end));
        }
    }
}

TEST_CASE("rules: quiet hours that end within the hour of a clock change end once, and ahead") {
    for (const char* const zone : {"America/New_York", "America/Santiago", "Europe/Paris",
                                   "Australia/Lord_Howe", "Asia/Tehran"}) {
        for (const char* const to : {"00:30", "01:15", "01:30", "02:00", "02:30", "03:15"}) {
            CAPTURE(zone);
            CAPTURE(to);
            auto hours = quiet("22:00", to);
            hours.zone = zone_of(zone);
            const WallTime year = moment("2026-01-01T00:00:00Z");
            for (auto at = year; at < year + 365 * 24h; at += 11min) {
                const auto end = hours.end(Level{0}, at);
                if (end && (*end <= at || *end > at + 8h)) {
                    FAIL(time_text(at), " ends ", time_text(*end));
                }
            }
        }
    }
}

TEST_CASE("rules: a word that ends messages is the whole answer, however it is written") {
    const rules::OptOutWords words({"STOP", "STOP SMS", "ARRÊT", "СТОП"}, {"START"});
    struct Row {
        const char* text;
        OptOutWish wish;
    };
    for (const Row& row : {
             Row{"STOP", OptOutWish::stop},
             Row{"stop", OptOutWish::stop},
             Row{"  Stop.\r\n", OptOutWish::stop},
             Row{"\"STOP\"!", OptOutWish::stop},
             Row{"stop  sms", OptOutWish::stop},
             Row{"“Stop”", OptOutWish::stop},  // as telephones write quotation marks by themselves
             Row{"Stop…", OptOutWish::stop},
             Row{"\u200BSTOP\uFEFF", OptOutWish::stop},
             Row{"stop\u202Fsms", OptOutWish::stop},
             Row{"arrêt", OptOutWish::stop},
             Row{"Стоп", OptOutWish::stop},
             Row{"стоп", OptOutWish::stop},
             Row{"Start", OptOutWish::start},
             Row{"STOPS", OptOutWish::none},
             Row{"please stop", OptOutWish::none},
             Row{"don't stop", OptOutWish::none},
             Row{"S T O P", OptOutWish::none},
             Row{"", OptOutWish::none},
             Row{"...", OptOutWish::none},
             Row{"\xFFstop", OptOutWish::none},
         }) {
        CAPTURE(row.text);
        CHECK(words.wish_of(row.text) == row.wish);
    }
    CHECK(rules::OptOutWords({}, {}).wish_of("STOP") == OptOutWish::none);
    CHECK(rules::OptOutWords({"", " . "}, {}).wish_of("") == OptOutWish::none);
}

TEST_CASE("Intake: a rule refuses a submit before the store, and a known ref is still answered") {
    test::ManualClock clock;
    test::HeldStore store;
    intake::Intake intake({.groups = {"default"}, .destinations = {.deny = {"+49"}}}, store, clock);
    std::optional<Result<ports::Accepted>> answer;
    const auto done = [&](Result<ports::Accepted> accepted) { answer = std::move(accepted); };
    intake.submit({.to = "+4915112345678", .text = "x"}, done);
    REQUIRE(answer);
    CHECK(answer->error().code == Errc::forbidden);
    CHECK(answer->error().context == "rule deny: [destinations] deny has \"+49\"");
    CHECK(store.posted<ports::Accept>().empty());
    answer.reset();
    intake.submit({.to = "+4915112345678", .text = "x", .ref = "r"}, done);
    CHECK_FALSE(answer);
    REQUIRE(store.posted<ports::Accept>().size() == 1);
    REQUIRE(store.posted<ports::Accept>()[0].command.message.refused);
    CHECK(store.posted<ports::Accept>()[0].command.message.refused->code == Errc::forbidden);
    intake.submit({.to = "+33612345678", .text = "x"}, done);
    REQUIRE(store.posted<ports::Accept>().size() == 2);
    CHECK_FALSE(store.posted<ports::Accept>()[1].command.message.refused);
}

TEST_CASE("Intake: within quiet hours a message is kept until their end, or refused") {
    test::ManualClock clock;
    clock.set_date(moment("2026-01-15T22:00:00Z"));
    test::HeldStore store;
    auto hours = quiet("21:00", "08:00");
    const WallTime end = moment("2026-01-16T07:00:00Z");
    std::optional<Result<ports::Accepted>> answer;
    const auto done = [&](Result<ports::Accepted> accepted) { answer = std::move(accepted); };
    {
        intake::Intake intake({.groups = {"default"}, .quiet = hours}, store, clock);
        intake.submit({.to = "+33612345678", .text = "x", .priority = 4, .ttl_s = 60}, done);
        REQUIRE(store.posted<ports::Accept>().size() == 1);
        CHECK(store.posted<ports::Accept>()[0].command.message.not_before == end);
        CHECK(store.posted<ports::Accept>()[0].command.message.expires_at == end + 60s);
        intake.submit({.to = "+33612345678", .text = "x", .priority = 5}, done);
        CHECK_FALSE(store.posted<ports::Accept>()[1].command.message.not_before);
        // Wanted for the next night: it waits until that one ends.
        intake.submit({.to = "+33612345678", .text = "x", .not_before = end + 15h}, done);
        CHECK(store.posted<ports::Accept>()[2].command.message.not_before == end + 24h);
        intake.submit({.to = "+33612345678", .text = "x", .not_before = end + 1h}, done);
        CHECK(store.posted<ports::Accept>()[3].command.message.not_before == end + 1h);
        CHECK_FALSE(answer);
    }
    hours.refuses = true;
    intake::Intake intake({.groups = {"default"}, .quiet = hours}, store, clock);
    intake.submit({.to = "+33612345678", .text = "x"}, done);
    REQUIRE(answer);
    CHECK(answer->error().context ==
          "rule quiet_hours: priority 3 is not taken until 2026-01-16T07:00:00.000Z");
    const auto preview = intake.preview({.to = "+33612345678", .text = "x"});
    REQUIRE(preview);
    REQUIRE(preview->refused);
    CHECK(preview->refused->until == end);
}

TEST_CASE("rules: each letter of the Latin, Greek and Cyrillic blocks folds to one that stays") {
    for (char32_t c = U'!'; c < 0x0500; ++c) {
        if (c >= 0x80 && c < 0xA0) {
            continue;
        }
        std::array<char, 4> octets{};
        const char* const end = pdu::put_utf8(octets.data(), c);
        const std::string once = rules::folded({octets.data(), end});
        CAPTURE(static_cast<unsigned>(c));
        CHECK(rules::folded(once) == once);
    }
    CHECK(rules::folded("\u0178") == "\u00FF");
    CHECK(rules::folded("\u0138") == "\u0138");
    CHECK(rules::folded("\u0179\u0141") == "\u017A\u0142");
}

TEST_CASE(
    "rules: of a long text whole characters are folded, so that what is folded stays as it is") {
    for (std::size_t before = 250; before < 260; ++before) {
        const std::string text = std::string(before, 'A') + "\u0112\u0112 stop";
        const std::string once = rules::folded(text);
        CHECK(once.size() <= 256);
        CHECK(rules::folded(once) == once);
        CHECK(once.starts_with(std::string(250, 'a')));
    }
}
