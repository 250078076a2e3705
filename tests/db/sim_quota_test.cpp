#include "tests/db/store_fixture.hpp"

#include <atomic>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

ports::QuotaCheck check_at(WallTime at, QuotaWindow window, std::uint32_t limit,
                           std::uint64_t recipient = 1) {
    ports::QuotaCheck check{.span = TimeZone{}.span_of(at), .recipient = recipient};
    check.limits.by_window.at(static_cast<std::size_t>(window)) = limit;
    return check;
}

Result<AttemptId> begin(test::StoreFixture& f, MessageId id, ports::QuotaCheck check,
                        SimId sim = SimId{1}) {
    return f.ask(ports::BeginAttempt{
        .message = id, .modem = "m0", .sim = sim, .at = f.clock.wall(), .quota = check});
}

ports::UsedQuota used(test::StoreFixture& f, SimId sim = SimId{1}) {
    const auto month = TimeZone{}.span_of(f.clock.wall()).month;
    auto answer = f.ask(ports::ReadQuota{sim, month});
    REQUIRE(answer);
    return *answer;
}

}  // namespace

TEST_CASE("quota: an attempt beyond the limit is not begun, and the message stays as it was") {
    for (const auto window :
         {QuotaWindow::minute, QuotaWindow::hour, QuotaWindow::day, QuotaWindow::month}) {
        CAPTURE(quota_window_names.at(static_cast<std::size_t>(window)));
        test::StoreFixture f;
        const auto check = check_at(f.clock.wall(), window, 2);
        CHECK(begin(f, f.accepted(), check));
        CHECK(begin(f, f.accepted(), check));
        const MessageId third = f.accepted();
        const auto refused = begin(f, third, check);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::quota_exhausted);
        CHECK(refused.error().context == quota_window_names.at(static_cast<std::size_t>(window)));
        REQUIRE(refused.error().retry_after);
        CHECK(f.state(third) == MessageState::queued);
        CHECK(f.detail(third).attempts.empty());
        f.clock.advance(*refused.error().retry_after);
        CHECK(begin(f, third, check_at(f.clock.wall(), window, 2)));
    }
}

TEST_CASE("quota: the count is on the disk with the attempt: a crash forgets nothing") {
    test::StoreFixture f;
    const auto check = check_at(f.clock.wall(), QuotaWindow::day, 3);
    for (int i = 0; i < 3; ++i) {
        CHECK(begin(f, f.accepted(), check));
        f.reopen();
        CHECK(used(f).usage.used(QuotaWindow::day) == static_cast<std::uint32_t>(i + 1));
        CHECK(used(f).usage.used(QuotaWindow::minute) == static_cast<std::uint32_t>(i + 1));
    }
    CHECK_FALSE(begin(f, f.accepted(), check));
}

TEST_CASE("quota: an attempt that is refused for another reason is not counted") {
    test::StoreFixture f;
    const auto check = check_at(f.clock.wall(), QuotaWindow::day, 3);
    const MessageId id = f.accepted();
    REQUIRE(begin(f, id, check));
    const auto again = begin(f, id, check);  // it is in flight
    REQUIRE_FALSE(again);
    CHECK(again.error().code == Errc::conflict);
    CHECK(used(f).usage.used(QuotaWindow::day) == 1);
}

TEST_CASE("quota: each SIM has its own, wherever it is") {
    test::StoreFixture f;
    const auto check = check_at(f.clock.wall(), QuotaWindow::day, 1);
    CHECK(begin(f, f.accepted(), check, SimId{1}));
    CHECK(begin(f, f.accepted(), check, SimId{2}));
    CHECK_FALSE(begin(f, f.accepted(), check, SimId{1}));
    CHECK_FALSE(begin(f, f.accepted(), check, SimId{2}));
}

TEST_CASE("quota: without one nothing is counted") {
    test::StoreFixture f;
    REQUIRE(f.begin(f.accepted()));
    CHECK(used(f).usage.used(QuotaWindow::month) == 0);
}

TEST_CASE("quota: distinct recipients are kept for their month, and forgotten after it") {
    test::StoreFixture f;
    const auto check = [&](std::uint64_t recipient) {
        return check_at(f.clock.wall(), QuotaWindow::recipients, 2, recipient);
    };
    const auto far = std::uint64_t{1} << 63U;  // all bits of a hash come back
    CHECK(begin(f, f.accepted(), check(1)));
    CHECK(begin(f, f.accepted(), check(1)));
    CHECK(begin(f, f.accepted(), check(far)));
    CHECK_FALSE(begin(f, f.accepted(), check(3)));
    CHECK(begin(f, f.accepted(), check(far)));
    CHECK(used(f).recipients == std::vector<std::uint64_t>{far, 1});
    f.clock.advance(31 * 24h);
    CHECK(used(f).recipients.empty());
    CHECK(begin(f, f.accepted(), check(3)));
    CHECK(used(f).recipients == std::vector<std::uint64_t>{3});
    f.clock.advance(-31 * 24h);
    CHECK(used(f).recipients.empty());  // the rows of the month before are gone
}

TEST_CASE("quota: a SIM that does not tell its ICCID for once is the same SIM") {
    test::StoreFixture f;
    const auto sim = [&](const char* iccid, const char* imsi) {
        const auto id = f.ask(ports::IdentifySim{iccid, imsi});
        REQUIRE(id);
        return *id;
    };
    const SimId told = sim("8933", "20801");
    CHECK(sim("", "20801") == told);
    const SimId untold = sim("", "20802");
    CHECK(untold != told);
    CHECK(sim("8944", "20802") == untold);
    CHECK(sim("", "20802") == untold);
    CHECK(sim("8955", "20802") != untold);  // the operator's new card for the same number
    CHECK(sim("", "20803") != untold);
}
