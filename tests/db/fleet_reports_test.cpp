// Status reports that one box got and another one has the message of.
#include "tests/db/fleet_fixture.hpp"

using namespace smsrack;
using namespace std::chrono_literals;
using test::FleetFixture;

namespace {

struct Reports : FleetFixture {
    Reports() { sim = ask(ports::IdentifySim{.iccid = "8933", .imsi = "208"}).value(); }

    ports::StrayReports strays(std::int64_t after, WallTime until, std::size_t limit = 100) {
        return look<ports::FleetReader>(
                   [&](ports::FleetReader& r) { return r.stray_reports(after, until, limit); })
            .value();
    }
    bool take(const std::string& card, StatusReport report) {
        report.sim = {};
        report.modem = "b2 m7";
        return ask(ports::TakeReport{{.card = card, .report = std::move(report)}}).value();
    }
};

}  // namespace

TEST_CASE("fleet reports: one that speaks of no message here is a stray, once it had some time") {
    Reports f;
    const auto sent = f.sent(5);
    REQUIRE(f.keep(f.report(5)));
    auto unknown = f.report(9);
    unknown.recipient = "+33700000000";
    unknown.raw = std::string("\x06\x00\xff", 3);
    unknown.scts = f.clock.wall();
    REQUIRE_FALSE(f.keep(unknown)->matched);
    CHECK(f.state(sent) == MessageState::delivered);
    CHECK(f.strays(0, f.clock.wall() - 2s).reports.empty());
    f.clock.advance(2s);
    const auto page = f.strays(0, f.clock.wall() - 2s);
    REQUIRE(page.reports.size() == 1);
    CHECK_FALSE(page.has_more);
    const ports::StrayReport& stray = page.reports[0];
    CHECK(stray.card == "8933");
    CHECK(stray.number == page.last);
    CHECK(stray.report.raw == unknown.raw);
    CHECK(stray.report.fingerprint == unknown.fingerprint);
    CHECK(stray.report.scts == unknown.scts);
    CHECK(stray.report.recipient == unknown.recipient);
    CHECK(f.strays(page.last, f.clock.wall()).reports.empty());
    // Behind what was noted, also after a restart.
    REQUIRE(f.ask(ports::NoteStraysTold{.number = page.last}));
    f.reopen();
    CHECK(f.strays(0, f.clock.wall()).reports.empty());
    CHECK(f.strays(1, f.clock.wall()).reports.size() == 1);
}

TEST_CASE(
    "fleet reports: pages pass over no report that is too young, but over one of a wrong clock") {
    Reports f;
    for (const int second : {0, 1, 2}) {
        auto report = f.report(static_cast<std::uint8_t>(second), 0);
        report.recipient = "+33700000000";
        REQUIRE(f.keep(report));
        f.clock.advance(1s);
    }
    const WallTime first = f.clock.wall() - 3s;
    auto page = f.strays(0, first + 1s, 1);
    CHECK(page.reports.size() == 1);
    CHECK(page.has_more);
    page = f.strays(page.last, first + 1s, 2);
    CHECK(page.reports.size() == 1);  // the third is too young
    CHECK_FALSE(page.has_more);
    CHECK(f.strays(page.last, first + 2s).reports.size() == 1);
    CHECK(f.strays(0, first - 1h).reports.size() == 3);
}

TEST_CASE("fleet reports: what another box got is applied where its message is, and nowhere else") {
    Reports f;
    const auto sent = f.sent(5);
    const auto report = f.report(5);
    CHECK_FALSE(f.take("8944", report));
    auto other = f.report(5);
    other.recipient = "+33700000000";
    CHECK_FALSE(f.take("8933", other));
    CHECK(f.strays(0, f.clock.wall()).reports.empty());
    CHECK(f.state(sent) == MessageState::sent);
    CHECK(f.take("8933", report));
    CHECK(f.state(sent) == MessageState::delivered);
    const auto history = f.history(sent);
    CHECK(f.take("8933", report));  // the letter came twice
    CHECK(f.history(sent) == history);
    CHECK(f.strays(0, f.clock.wall()).reports.empty());
}
