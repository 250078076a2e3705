#include "src/results/repeat_rule.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

using enum ports::Arrival;

constexpr WallTime noon{std::chrono::sys_days{std::chrono::year{2026} / 6 / 1} + 12h};
constexpr std::optional<WallTime> good = noon - 2s;
constexpr std::optional<WallTime> dead{};
constexpr std::optional<WallTime> nowhen{};

constexpr std::optional<HeldPlace> nowhere{};
constexpr std::optional<HeldPlace> at(std::uint16_t index) {
    return HeldPlace{.memory = HeldIn::sim, .index = index};
}
constexpr std::optional<HeldPlace> direct = HeldPlace{.memory = HeldIn::direct, .index = 0};

/// So long before the arrival at noon.
ports::KeptBefore kept(std::chrono::seconds ago, std::optional<HeldPlace> place = nowhere) {
    return {.held_at = place, .received_at = noon - ago, .read_at = noon - ago};
}

/// Kept an hour ago, and read again a minute ago.
ports::KeptBefore swept(std::optional<HeldPlace> place) {
    return {.held_at = place, .received_at = noon - 1h, .read_at = noon - 1min};
}

}  // namespace

TEST_CASE("judge_segment: whether a segment that looks like an earlier one is the same one") {
    struct Row {
        const char* what;
        std::optional<HeldPlace> place;
        std::optional<WallTime> scts;
        std::vector<ports::KeptBefore> before;
        ports::Judgement is;
    };
    for (const Row& row : {
             Row{"nothing like it", at(1), good, {}, {another}},
             Row{"the same place again", at(1), good, {kept(1s, at(1))}, {repeat, 0}},
             Row{"after days", at(1), good, {kept(24h, at(1))}, {repeat, 0}},
             Row{"a dead clock at the same place", at(1), dead, {kept(9min, at(1))}, {repeat, 0}},
             Row{"whose place may be another one's by now",
                 at(1),
                 dead,
                 {kept(11min, at(1))},
                 {maybe_repeat, 0}},
             Row{"but not where each sweep reads it", at(1), dead, {swept(at(1))}, {repeat, 0}},
             Row{"two places at once", at(2), good, {kept(1s, at(1))}, {another}},
             Row{"two places at once, and a dead clock", at(2), dead, {kept(1s, at(1))}, {another}},
             Row{"two places, the second so late that the network may have repeated it",
                 at(2),
                 good,
                 {kept(40s, at(1))},
                 {maybe_repeat, 0}},
             Row{"and with a dead clock", at(2), dead, {kept(40s, at(1))}, {maybe_repeat, 0}},
             Row{"and very late", at(2), good, {kept(1h, at(1))}, {maybe_repeat, 0}},
             Row{"each finds its own place",
                 at(1),
                 dead,
                 {kept(1s, at(2)), kept(2s, at(1))},
                 {repeat, 1}},
             Row{"another memory is another place",
                 HeldPlace{.memory = HeldIn::modem, .index = 1},
                 good,
                 {kept(1s, at(1))},
                 {another}},
             Row{"erased, and there again before the network repeats",
                 at(1),
                 good,
                 {kept(10s)},
                 {maybe_repeat, 0}},
             Row{"repeated by the network", at(1), good, {kept(40s)}, {repeat, 0}},
             Row{"at the end of the window", at(2), good, {kept(5min)}, {repeat, 0}},
             Row{"behind it", at(2), good, {kept(6min)}, {maybe_repeat, 0}},
             Row{"one of two equal ones repeated",
                 at(3),
                 good,
                 {kept(40s, at(1)), kept(40s)},
                 {repeat, 1}},
             Row{"a dead clock is no evidence", at(1), dead, {kept(40s)}, {maybe_repeat, 0}},
             Row{"and tomorrow's alarm is another one", at(1), dead, {kept(24h)}, {another}},
             Row{"directly, not confirmed as yet", direct, good, {kept(40s, direct)}, {repeat, 0}},
             Row{"given in vain several times, and read at once",
                 direct,
                 good,
                 {kept(0s, direct)},
                 {repeat, 0}},
             Row{"directly, not confirmed, and then the modem stored it",
                 at(3),
                 good,
                 {kept(30s, direct)},
                 {repeat, 0}},
             Row{"directly, not confirmed, and one in the store before the network sends again",
                 at(3),
                 good,
                 {kept(29s, direct)},
                 {maybe_repeat, 0}},
             Row{"directly, perhaps confirmed, and a dead clock",
                 direct,
                 dead,
                 {kept(40s, direct)},
                 {maybe_repeat, 0}},
             Row{"its own place before that",
                 at(3),
                 dead,
                 {kept(1s, direct), kept(40s, at(3))},
                 {repeat, 1}},
             Row{"directly, confirmed", direct, good, {kept(40s)}, {repeat, 0}},
             Row{"confirmed by the modem itself", nowhere, good, {kept(40s)}, {repeat, 0}},
             Row{"confirmed by the modem itself, at once",
                 nowhere,
                 dead,
                 {kept(1s)},
                 {maybe_repeat, 0}},
             Row{"the clock was set back since", at(1), good, {kept(-1h)}, {maybe_repeat, 0}},
         }) {
        CAPTURE(row.what);
        InboundSegment segment;
        segment.held_at = row.place;
        segment.scts = row.scts;
        segment.received_at = noon;
        const auto is = results::judge_segment(segment, row.before, 5min);
        CHECK(is.is == row.is.is);
        CHECK(is.of == row.is.of);
    }
}

TEST_CASE("judge_segment: one that waited long for the store came when it was read") {
    InboundSegment segment;
    segment.held_at = at(4);
    segment.scts = good;
    segment.received_at = noon;
    segment.heard_at = noon - 211s;
    const std::vector before{kept(212s)};  // when the store took nothing any more
    CHECK(results::judge_segment(segment, before, 5min).is == maybe_repeat);
    segment.heard_at.reset();
    CHECK(results::judge_segment(segment, before, 5min).is == repeat);
}

TEST_CASE("judge_segment: the age of an earlier one counts from when it was read") {
    InboundSegment segment;
    segment.scts = good;
    segment.received_at = noon;
    segment.held_at = at(1);
    ports::KeptBefore before{.held_at = direct, .received_at = noon - 28s, .read_at = noon - 45s};
    CHECK(results::judge_segment(segment, std::vector{before}, 4h).is == repeat);
    before.read_at = before.received_at;
    CHECK(results::judge_segment(segment, std::vector{before}, 4h).is == maybe_repeat);
}

TEST_CASE("judge_report: whether a report that looks like an earlier one is the same one") {
    struct Row {
        const char* what;
        std::optional<HeldPlace> place;
        std::optional<WallTime> scts;
        std::vector<ports::KeptBefore> before;
        ports::Arrival is;
    };
    for (const Row& row : {
             Row{"nothing like it", at(1), good, {}, another},
             Row{"the same submit, the same status", at(1), good, {kept(1h)}, repeat},
             Row{"also at two places at once", at(2), good, {kept(1s, at(1))}, repeat},
             Row{"a dead clock at the same place", at(1), dead, {kept(9min, at(1))}, repeat},
             Row{"which each sweep reads", at(1), dead, {swept(at(1))}, repeat},
             Row{"a dead clock within minutes", at(1), dead, {kept(9min)}, repeat},
             Row{"the next of its reference", at(1), dead, {kept(11min)}, another},
             Row{"the next of its reference, at a place that was never erased",
                 at(1),
                 dead,
                 {kept(11min, at(1))},
                 another},
             Row{"two places at once", at(2), dead, {kept(1s, at(1))}, another},
             Row{"the clock was set back since", at(1), dead, {kept(-1h)}, another},
         }) {
        CAPTURE(row.what);
        StatusReport report;
        report.held_at = row.place;
        report.scts = row.scts;
        report.received_at = noon;
        CHECK(results::judge_report(report, row.before).is == row.is);
    }
}

TEST_CASE("judge_segment: what lay unread next to the earlier one is marked, not dropped") {
    struct Row {
        const char* what;
        std::optional<WallTime> noted_at;
        ports::Arrival is;
    };
    for (const Row& row : {Row{"not known since when", nowhen, repeat},
                           Row{"it came after the earlier one was read", noon - 30s, repeat},
                           Row{"it lay there before that", noon - 50s, maybe_repeat}}) {
        CAPTURE(row.what);
        InboundSegment arrived;
        arrived.scts = good;
        arrived.received_at = noon;
        arrived.held_at = at(2);
        arrived.noted_at = row.noted_at;
        CHECK(results::judge_segment(arrived, std::vector{kept(40s)}, 5min).is == row.is);
    }
}
