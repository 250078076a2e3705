#include "src/line/sim_quota.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

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
