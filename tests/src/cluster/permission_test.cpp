// How long a box that no engine answers may begin firm messages.
#include "src/cluster/permission.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("permission: it lasts alone_s from before the last answered beat was sent") {
    test::ManualClock clock;
    cluster::Permission permission{10min, clock};
    CHECK_FALSE(permission.may_begin());  // after a boot one answer is awaited
    const auto sent = clock.since_boot();
    clock.advance(5min);  // the answer took that long
    permission.answered(sent);
    CHECK(permission.may_begin());
    clock.advance(5min - 1ms);
    CHECK(permission.may_begin());
    clock.advance(1ms);
    CHECK_FALSE(permission.may_begin());
    permission.answered(clock.since_boot());
    CHECK(permission.may_begin());
    permission.answered(sent);  // an answer that was overtaken takes nothing back
    CHECK(permission.may_begin());
}

TEST_CASE("permission: the time of a suspend counts, a date that is set does not") {
    test::ManualClock clock;
    cluster::Permission permission{10min, clock};
    permission.answered(clock.since_boot());
    clock.set_date(clock.wall() + std::chrono::days(1));
    CHECK(permission.may_begin());
    clock.suspend(11min);
    CHECK_FALSE(permission.may_begin());
}
