// Reports whose message is not plain to see: torn answers, references that come again, and reports that overtake.
#include "src/results/report_matcher.hpp"
#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

using enum MessageState;

constexpr std::uint8_t temporary = 0x20;

/// With the true rule.
struct Matching : StoreFixture {
    Matching() { rules.choose_report = results::choose_report; }

    /// A report about what the centre took just now.
    StatusReport reports(std::uint8_t tp_mr, std::uint8_t tp_status = 0) {
        auto report = StoreFixture::report(tp_mr, tp_status);
        report.scts = clock.wall() - 1s;
        report.discharge = clock.wall();
        return report;
    }
    bool is_matched(const StatusReport& report) {
        const auto kept = keep(report);
        REQUIRE(kept);
        return kept->matched;
    }
    /// The +CMGS line was lost or torn: `ref` as it was read.
    MessageId sent_torn(std::optional<std::uint8_t> ref) {
        const MessageId id = accepted();
        const auto attempt = begin(id);
        REQUIRE(attempt);
        auto taken_torn = taken(id, *attempt, 0, ref.value_or(0));
        taken_torn.outcome.has_tp_mr = ref.has_value();
        REQUIRE(end(taken_torn));
        return id;
    }
};

}  // namespace

TEST_CASE("store: a report finds a message whose +CMGS said no reference, or a torn one") {
    for (const std::optional<std::uint8_t> ref :
         {std::optional<std::uint8_t>(), {std::uint8_t{2}}}) {
        CAPTURE(ref.has_value());
        Matching f;
        const MessageId earlier = f.sent(24);
        f.clock.advance(2s);
        CHECK(f.is_matched(f.reports(24)));
        const MessageId id = f.sent_torn(ref);
        f.clock.advance(3s);
        SUBCASE("at once") {
            CHECK(f.is_matched(f.reports(25)));
        }
        SUBCASE("a temporary one first") {
            const auto first = f.reports(25, temporary);
            CHECK(f.is_matched(first));
            CHECK(f.state(id) == sent);
            f.clock.advance(1h);
            auto last = f.report(25);
            last.scts = first.scts;
            last.discharge = f.clock.wall();
            CHECK(f.is_matched(last));
        }
        SUBCASE("hours later, by a centre of another zone") {
            auto late = f.reports(25);
            late.scts = *late.scts - 5h;
            late.discharge = *late.scts + 3h;
            f.clock.advance(3h);
            late.received_at = f.clock.wall();
            CHECK(f.is_matched(late));
        }
        CHECK(f.state(id) == delivered);
        CHECK(f.state(earlier) == delivered);
    }
}

TEST_CASE("store: a report that could mean two messages waits until only one of them is left") {
    Matching f;
    const MessageId torn = f.sent_torn(2);
    f.clock.advance(2s);
    const MessageId plain = f.sent(5);
    f.clock.advance(3s);
    CHECK_FALSE(f.is_matched(f.reports(25)));
    CHECK(f.state(torn) == sent);
    CHECK(f.is_matched(f.reports(5)));
    CHECK(f.state(plain) == delivered);
    CHECK(f.state(torn) == delivered);
}

TEST_CASE("store: a report of the SIM that was in the modem before finds its message") {
    for (const bool is_same_modem : {true, false}) {
        CAPTURE(is_same_modem);
        Matching f;
        const MessageId id = f.sent(25);
        f.clock.advance(3s);
        auto report = f.reports(25);
        report.sim = SimId{report.sim.value + 1};
        report.modem = is_same_modem ? report.modem : "other";
        CHECK(f.is_matched(report) == is_same_modem);
        CHECK(f.state(id) == (is_same_modem ? delivered : sent));
    }
}

TEST_CASE("store: a report of nothing that was sent from here has no message") {
    Matching f;
    const MessageId id = f.sent(7);
    f.clock.advance(1h);
    CHECK_FALSE(f.is_matched(f.reports(99)));  // its time is not the message's
    auto other = f.reports(98);
    other.recipient = "+33699999999";
    CHECK_FALSE(f.is_matched(other));
    CHECK(f.state(id) == sent);
}

TEST_CASE(
    "store: a report that overtakes its answer is not an older message's with its reference") {
    for (const bool had_its_report : {true, false}) {
        CAPTURE(had_its_report);
        Matching f;
        const MessageId older = f.sent(70);
        if (had_its_report) {
            f.clock.advance(2s);
            REQUIRE(f.is_matched(f.reports(70)));
        }
        f.clock.advance(5h);  // the references have wrapped
        const MessageId id = f.accepted();
        const auto attempt = f.begin(id);
        REQUIRE(attempt);
        f.clock.advance(2s);
        CHECK_FALSE(f.is_matched(f.reports(70)));
        CHECK(f.state(older) == (had_its_report ? delivered : sent));
        f.clock.advance(1s);
        SUBCASE("its answer comes") {
            REQUIRE(f.end(f.taken(id, *attempt, 0, 70)));
            CHECK(f.state(id) == delivered);
        }
        SUBCASE("torn, with another reference") {
            REQUIRE(f.end(f.taken(id, *attempt, 0, 7)));
            CHECK(f.state(id) == delivered);
        }
        SUBCASE("torn, without one") {
            auto torn = f.taken(id, *attempt, 0, 0);
            torn.outcome.has_tp_mr = false;
            REQUIRE(f.end(torn));
            CHECK(f.state(id) == delivered);
        }
        SUBCASE("it never comes") {
            REQUIRE(f.end(f.silent(id, *attempt)));
            CHECK(f.state(id) == delivered);
        }
        SUBCASE("the process is killed before") {
            f.reopen();
            CHECK(f.state(id) == delivered);
        }
    }
}

TEST_CASE(
    "store: a report that an open attempt held up is the older message's when that was refused") {
    Matching f;
    const MessageId older = f.sent_torn(2);
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    f.clock.advance(2s);
    CHECK_FALSE(f.is_matched(f.reports(25)));
    CHECK(f.state(older) == sent);
    REQUIRE(f.end(f.refused(id, *attempt)));
    CHECK(f.state(older) == delivered);
}

TEST_CASE("store: of two messages with one reference the one of the report's time has it") {
    Matching f;
    const MessageId first = f.sent(7);
    const WallTime taken = f.clock.wall();
    f.clock.advance(9min);
    const MessageId second = f.sent(7);
    f.clock.advance(1min);
    auto late = f.reports(7);
    late.scts = taken;
    late.discharge = taken + 2s;
    CHECK(f.is_matched(late));
    CHECK(f.state(first) == delivered);
    CHECK(f.state(second) == sent);
}

TEST_CASE("store: a SIM without a reference for its message expects the report all the same") {
    Matching f;
    f.sent_torn(std::nullopt);
    const auto expects =
        f.look([&](ports::StoreReader& r) { return r.expects(f.sim, f.clock.wall(), {}); });
    REQUIRE(expects);
    CHECK(expects->anything);
}

TEST_CASE(
    "store: reports of a long message whose references were torn find its segments in order") {
    struct Case {
        const char* what;
        std::vector<std::optional<std::uint8_t>> said;  // by +CMGS
        std::chrono::minutes centre_behind;
    };
    for (const Case& one : {
             Case{"none and half of one", {std::nullopt, 12}, 0min},
             Case{"halves", {12, 12}, 0min},
             Case{"the last one whole", {std::nullopt, 12, 124}, 0min},
             Case{"a centre whose clock is behind", {std::nullopt, 12}, 27min},
         }) {
        CAPTURE(one.what);
        Matching f;
        auto message = f.message();
        message.segments = static_cast<std::uint8_t>(one.said.size());
        const MessageId id = f.accepted(message);
        for (std::uint8_t segment = 0; segment < one.said.size(); ++segment) {
            const auto attempt = f.begin(id, segment, message.segments);
            REQUIRE(attempt);
            f.clock.advance(300ms);
            auto end = f.taken(id, *attempt, segment, one.said[segment].value_or(0));
            end.outcome.has_tp_mr = one.said[segment].has_value();
            REQUIRE(f.end(end));
        }
        for (std::uint8_t segment = 0; segment < one.said.size(); ++segment) {
            f.clock.advance(20ms);
            auto report = f.reports(static_cast<std::uint8_t>(122 + segment));
            report.scts = *report.scts - one.centre_behind;
            report.discharge = *report.discharge - one.centre_behind;
            CHECK(f.is_matched(report));
        }
        CHECK(f.state(id) == delivered);
    }
}

TEST_CASE("store: a report finds its torn message also after the clock was set back") {
    Matching f;
    (void)f.sent(99);
    CHECK(f.is_matched(f.reports(99)));
    f.clock.set_date(f.clock.wall() - 3h);
    const MessageId id = f.sent_torn(std::nullopt);
    f.clock.advance(1s);
    auto report = f.reports(148);
    report.scts = *report.scts + 3h;
    report.discharge = *report.discharge + 3h;
    CHECK(f.is_matched(report));
    CHECK(f.state(id) == delivered);
}
