#include "src/line/sim_quota.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t ann = 1;
constexpr std::uint64_t bob = 2;

line::SimQuotaSettings settings(QuotaWindow window, std::uint32_t limit) {
    line::SimQuotaSettings made;
    made.limits.by_window.at(static_cast<std::size_t>(window)) = limit;
    return made;
}

}  // namespace

TEST_CASE("SimQuota: nothing is sent before the store has said what was sent") {
    test::ManualClock clock;
    line::SimQuota quota(settings(QuotaWindow::day, 10), clock);
    REQUIRE(quota.wait(1, ann));
    CHECK_FALSE(quota.wait(1, ann)->until);
    ports::UsedQuota used;
    used.usage.turn(clock.wall(), TimeZone{}.span_of(clock.wall()));
    used.usage.count(8, false);
    quota.known(used);
    CHECK_FALSE(quota.wait(2, ann));
    CHECK(quota.wait(3, ann));
    CHECK(quota.view().left.at(2) == 2);
    quota.forget();
    CHECK(quota.wait(1, ann));
}

TEST_CASE("SimQuota: known recipients may be sent to when no new one may") {
    test::ManualClock clock;
    line::SimQuota quota(settings(QuotaWindow::recipients, 1), clock);
    quota.known({});
    CHECK(quota.count(clock.wall(), ann).new_recipient);
    CHECK_FALSE(quota.count(clock.wall(), ann).new_recipient);
    CHECK(quota.takes(ann));
    CHECK_FALSE(quota.wait(1, ann));
    CHECK_FALSE(quota.takes(bob));
    CHECK(quota.wait(1, bob)->window == QuotaWindow::recipients);
    clock.advance(31 * 24h);  // another month
    CHECK(quota.takes(bob));
    CHECK_FALSE(quota.wait(1, bob));
    CHECK(quota.count(clock.wall(), bob).new_recipient);
    CHECK_FALSE(quota.takes(ann));
}

TEST_CASE("SimQuota: what the store did not count is taken back, recipient and all") {
    test::ManualClock clock;
    line::SimQuota quota(settings(QuotaWindow::recipients, 1), clock);
    quota.known({});
    quota.take_back(quota.count(clock.wall(), ann));
    CHECK(quota.takes(bob));
    CHECK(quota.view().left.at(4) == 1);
}

TEST_CASE("SimQuota: both thresholds are reported once per window, a minute's not at all") {
    test::ManualClock clock;
    line::SimQuota day(settings(QuotaWindow::day, 10), clock);
    day.known({});
    for (int i = 1; i <= 10; ++i) {
        CAPTURE(i);
        const auto news = day.count(clock.wall(), ann).news;
        CHECK(news.has_value() == (i == 8 || i == 10));
        if (news) {
            CHECK(news->spent == (i == 10));
        }
    }
    CHECK(day.view().soft == 1);
    CHECK(day.view().hard == 1);
    REQUIRE(day.view().pause);
    CHECK(day.view().pause->window == QuotaWindow::day);

    line::SimQuota minute(settings(QuotaWindow::minute, 1), clock);
    minute.known({});
    CHECK_FALSE(minute.count(clock.wall(), ann).news);
    CHECK(minute.view().hard == 1);

    line::SimQuota hour(settings(QuotaWindow::hour, 2), clock);
    hour.known({});
    int told = 0;
    for (int i = 0; i < 60; ++i) {  // two an hour, evenly: at its limit all the time
        told += hour.count(clock.wall(), ann).news ? 1 : 0;
        clock.advance(31min);
    }
    CHECK(told <= 31);
    CHECK(told >= 15);
}

namespace {

line::SimQuotaSettings shared(QuotaWindow window, std::uint32_t limit) {
    auto made = settings(window, limit);
    made.is_shared = true;
    return made;
}

ports::SimShare others(const Clock& clock, std::uint32_t segments,
                       const std::vector<std::uint64_t>& recipients = {}) {
    ports::SimShare share;
    const CalendarSpan span = TimeZone{}.span_of(clock.wall());
    SimUsage& usage = share.others.emplace_back().usage;
    usage.turn(clock.wall(), span);
    usage.count(segments, false);
    share.recipients[span.month] = {recipients.begin(), recipients.end()};
    return share;
}

}  // namespace

TEST_CASE("SimQuota of a fleet: nothing is sent before store and fleet have said what was sent") {
    test::ManualClock clock;
    line::SimQuota quota(shared(QuotaWindow::day, 10), clock);
    quota.known({});
    CHECK_FALSE(quota.is_known());
    CHECK(quota.wait(1, ann));
    CHECK_FALSE(quota.view().left.at(2));
    quota.share(others(clock, 7));
    CHECK(quota.is_known());
    CHECK_FALSE(quota.wait(3, ann));
    CHECK(quota.wait(4, ann)->window == QuotaWindow::day);
    CHECK(quota.view().left.at(2) == 3);
    quota.share({});
    CHECK(quota.wait(1, ann));
}

TEST_CASE("SimQuota of a fleet: what others have sent counts with what this box sends") {
    test::ManualClock clock;
    auto how = shared(QuotaWindow::day, 10);
    how.warn_percent = 80;
    line::SimQuota quota(how, clock);
    quota.share(others(clock, 7));
    quota.known({});
    CHECK(quota.count(clock.wall(), ann).news->window == QuotaWindow::day);
    CHECK_FALSE(quota.count(clock.wall(), ann).news);
    CHECK(quota.count(clock.wall(), ann).news->spent);
    CHECK(quota.wait(1, ann));
    quota.share(others(clock, 6));  // one of them was certainly not begun
    CHECK_FALSE(quota.wait(1, ann));
    clock.advance(24h);
    CHECK_FALSE(quota.wait(10, ann));
}

TEST_CASE("SimQuota of a fleet: a recipient of any box is known, and each counts once") {
    test::ManualClock clock;
    for (const bool store_first : {true, false}) {
        CAPTURE(store_first);
        line::SimQuota quota(shared(QuotaWindow::recipients, 2), clock);
        if (store_first) {
            quota.known({});
        }
        quota.share(others(clock, 1, {ann}));
        if (!store_first) {
            quota.known({});
        }
        CHECK_FALSE(quota.count(clock.wall(), ann).new_recipient);
        CHECK(quota.count(clock.wall(), bob).new_recipient);
        CHECK(quota.takes(ann));
        CHECK_FALSE(quota.takes(ann + bob));
        CHECK(quota.wait(1, ann + bob)->window == QuotaWindow::recipients);
        clock.advance(31 * 24h);
        CHECK(quota.takes(ann + bob));
        CHECK(quota.count(clock.wall(), ann).new_recipient);
    }
}

TEST_CASE("SimQuota of a fleet: a clock that was wrong for a while forgets nothing of the others") {
    for (const auto window : {QuotaWindow::minute, QuotaWindow::hour, QuotaWindow::month}) {
        for (const auto by : {24h, -24h}) {
            CAPTURE(by.count());
            CAPTURE(static_cast<int>(window));
            test::ManualClock clock;
            line::SimQuota quota(shared(window, 10), clock);
            quota.known({});
            quota.share(others(clock, 9));
            CHECK(quota.wait(2, ann));
            for (const auto step : {by, -by}) {
                clock.set_date(clock.wall() + step);
                clock.advance(1s);
                CHECK(quota.wait(2, ann));
                CHECK_FALSE(quota.wait(1, ann));
            }
            clock.advance(2h);
            CHECK(quota.wait(2, ann).has_value() == (window == QuotaWindow::month));
        }
    }
}

TEST_CASE("SimQuota of a fleet: of two boxes of which one's day has begun, both count") {
    test::ManualClock clock;
    line::SimQuota quota(shared(QuotaWindow::day, 10), clock);
    quota.known({});
    auto share = others(clock, 7);
    ports::SimPart& ahead = share.others.emplace_back();
    ahead.usage.turn(clock.wall(), TimeZone{}.span_of(clock.wall() + 24h));
    ahead.usage.count(2, false);
    ahead.lead = -24h;
    quota.share(share);
    CHECK_FALSE(quota.wait(1, ann));
    CHECK(quota.wait(2, ann));
}

TEST_CASE("SimQuota of a fleet: news comes of the last recipient of a month") {
    test::ManualClock clock;
    line::SimQuota quota(shared(QuotaWindow::recipients, 2), clock);
    quota.known({});
    quota.share(others(clock, 1, {ann}));
    const auto counted = quota.count(clock.wall(), bob);
    REQUIRE(counted.news);
    CHECK(counted.news->window == QuotaWindow::recipients);
    CHECK(counted.news->spent);
}

TEST_CASE(
    "SimQuota of a fleet: what a box with a dead clock has sent this day counts, and no longer") {
    for (const auto window : {QuotaWindow::day, QuotaWindow::month}) {
        CAPTURE(static_cast<int>(window));
        test::ManualClock clock;
        line::SimQuota quota(shared(window, 10), clock);
        quota.known({});
        ports::SimShare share;
        ports::SimPart& part = share.others.emplace_back();
        const WallTime theirs{std::chrono::sys_days{std::chrono::year{1970} / 1 / 1} + 3h};
        part.lead = clock.wall() - theirs;
        part.usage.turn(clock.wall(), TimeZone{}.span_of(theirs));
        part.usage.count(9, false);
        quota.share(share);
        CHECK_FALSE(quota.wait(1, ann));
        CHECK(quota.wait(2, ann));
        clock.advance(31 * 24h);
        CHECK_FALSE(quota.wait(10, ann));
    }
}
