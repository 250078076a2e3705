// SIMs of a fleet: what a box has counted of each, and what it keeps of the others' counts.
#include "tests/db/fleet_fixture.hpp"

using namespace smsrack;
using test::FleetFixture;

namespace {

std::string share(FleetFixture& f, const std::string& iccid) {
    return f.look<ports::FleetReader>([&](ports::FleetReader& r) { return r.sim_share(iccid); })
        .value();
}

std::vector<std::string> used(FleetFixture& f) {
    return f.look<ports::FleetReader>([](ports::FleetReader& r) { return r.used_sims(9); }).value();
}

/// One segment, to a recipient of this number.
void begin(FleetFixture& f, SimId sim, std::uint64_t recipient) {
    const MessageId id = f.accepted();
    ports::BeginAttempt start{.message = id, .modem = "m0", .sim = sim, .at = f.clock.wall()};
    start.quota =
        ports::QuotaCheck{.span = TimeZone{}.span_of(f.clock.wall()), .recipient = recipient};
    start.quota->limits.by_window.at(static_cast<std::size_t>(QuotaWindow::recipients)) = 100;
    REQUIRE(f.ask(start));
}

}  // namespace

TEST_CASE("fleet SIMs: what was heard of a SIM is kept over a restart, until it leaves") {
    FleetFixture f;
    CHECK(share(f, "8933").empty());
    REQUIRE(f.ask(ports::KeepSimShare{.iccid = "8933", .form = "one"}));
    REQUIRE(f.ask(ports::KeepSimShare{.iccid = "8933", .form = "two"}));
    REQUIRE(f.ask(ports::KeepSimShare{.iccid = "8944", .form = "other"}));
    f.reopen();
    CHECK(share(f, "8933") == "two");
    REQUIRE(f.ask(ports::KeepSimShare{.iccid = "8933"}));
    CHECK(share(f, "8933").empty());
    CHECK(share(f, "8944") == "other");
}

TEST_CASE("fleet SIMs: counts and recipients are those of each SIM") {
    FleetFixture f;
    const SimId one = f.ask(ports::IdentifySim{.iccid = "8933", .imsi = "208"}).value();
    const SimId other = f.ask(ports::IdentifySim{.iccid = "8944", .imsi = "208"}).value();
    CHECK(used(f).empty());
    begin(f, one, 7);
    begin(f, one, 8);
    begin(f, one, 7);
    begin(f, other, 9);
    const auto count_of = [&](const std::string& iccid, bool with_recipients = true) {
        return f
            .look<ports::FleetReader>(
                [&](ports::FleetReader& r) { return r.sim_count(iccid, with_recipients); })
            .value();
    };
    CHECK(count_of("8944").usage.used(QuotaWindow::month) == 1);
    CHECK(count_of("8944").recipients == std::vector<std::uint64_t>{9});
    CHECK(count_of("never").usage.used(QuotaWindow::month) == 0);
    CHECK(count_of("never").recipients.empty());
    const auto count = count_of("8933");
    CHECK(count.usage.used(QuotaWindow::month) == 3);
    CHECK(count.usage.used(QuotaWindow::recipients) == 2);
    CHECK(count.usage.month.period == TimeZone{}.span_of(f.clock.wall()).month);
    CHECK(count.recipients == std::vector<std::uint64_t>{7, 8});
    CHECK(count_of("8933", false).recipients.empty());
    CHECK(used(f).size() == 2);
}
