#include "src/overload/promises.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::overload;
using namespace std::chrono_literals;

namespace {

const SteadyTime start = SteadyTime{} + 1h;

double seconds(SteadyTime at) {
    return Seconds(at - start).count();
}

}  // namespace

TEST_CASE(
    "Promises: each gets its own time, after those who wait already, as fast as places come free") {
    Promises promises;
    promises.advance(start);
    const SteadyTime first = promises.give(1, start + 3s, 2, 1);
    CHECK(seconds(first) == doctest::Approx(3));
    for (std::uint64_t who = 2; who <= 10; ++who) {
        promises.give(who, start + 3s, 2, 1);
    }
    CHECK(seconds(promises.give(11, start + 3s, 2, 1)) == doctest::Approx(3 + 10 * 1.1 / 2));
    CHECK(promises.size() == 11);
}

TEST_CASE(
    "Promises: a place is held from a second before the time until the next whole second, and who "
    "comes five later is still known") {
    Promises promises;
    promises.give(1, start + 10s, 1, 3);
    struct Row {
        std::chrono::seconds at;
        bool known;
        bool expected;
        double held;
    };
    for (const Row& row : {Row{0s, true, false, 0}, Row{8s, true, false, 0}, Row{9s, true, true, 3},
                           Row{11s, true, true, 3}, Row{12s, true, true, 0},
                           Row{15s, true, true, 0}, Row{16s, false, false, 0}}) {
        CAPTURE(row.at.count());
        promises.advance(start + row.at);
        const auto known = promises.find(1);
        CHECK(known.has_value() == row.known);
        CHECK((known && known->expected) == row.expected);
        CHECK(promises.held(10) == row.held);
    }
    CHECK(promises.empty());
}

TEST_CASE("Promises: who has come holds no place any more") {
    Promises promises;
    promises.give(1, start, 1, 1);
    promises.give(2, start, 1, 1);
    promises.advance(start + 1s);
    CHECK(promises.held(10) == 2);
    promises.kept(1);
    CHECK(promises.held(10) == 1);
    CHECK_FALSE(promises.find(1));
    promises.broken(2);
    CHECK(promises.held(10) == 0);
    promises.kept(77);  // unknown
    CHECK(promises.empty());
}

TEST_CASE("Promises: where most never come back, times are given to more of them") {
    Promises promises;
    SteadyTime now = start;
    const auto wait_after_100 = [&] {
        SteadyTime last{};
        for (std::uint64_t who = 1; who <= 100; ++who) {
            last = promises.give(who, now, 10, 1);
        }
        return Seconds(last - now).count();
    };
    CHECK(wait_after_100() == doctest::Approx(99 * 0.11));
    for (int round = 0; round < 20; ++round) {
        now += 60s;
        promises.advance(now);
        CHECK(promises.empty());
        (void)wait_after_100();
    }
    now += 60s;
    promises.advance(now);
    CHECK(wait_after_100() == doctest::Approx(99 * 0.011).epsilon(0.05));
}

TEST_CASE("Promises: more than can be remembered get a time, and the memory stays bounded") {
    Promises promises;
    SteadyTime last = start;
    for (std::uint64_t who = 1; who <= Promises::remembered_max + 1000; ++who) {
        const SteadyTime due = promises.give(who, start, 100, 1);
        CHECK(due >= last);
        last = due;
    }
    CHECK(promises.size() == Promises::remembered_max);
    CHECK_FALSE(promises.find(Promises::remembered_max + 1));
}

TEST_CASE(
    "Promises: where some had to be broken, more places are kept, and fewer again when they are "
    "kept") {
    Promises promises;
    const auto held = [&](std::uint64_t who) {
        promises.give(who, start, 1, 1);
        promises.advance(start);
        return promises.held(100);
    };
    CHECK(held(1) == 10);
    for (std::uint64_t who = 1; who < 9; ++who) {
        promises.broken(who);
        CHECK(held(who + 1) > 10);
    }
    CHECK(promises.held(100) == doctest::Approx(30));
    for (std::uint64_t who = 9; who < 1000; ++who) {
        promises.kept(who);
        (void)held(who + 1);
    }
    CHECK(promises.held(100) == 10);
}

TEST_CASE("Promises: the next run knows who comes when, and how many came back recently") {
    Promises before;
    before.advance(start);
    before.give(1, start + 10s, 1, 3);
    before.give(2, start + 100s, 1, 1);
    before.broken(3);  // an unknown client: of care alone
    Promises next;
    next.adopt(before.carried());
    CHECK(next.size() == 2);
    for (const auto at : {0s, 9s, 11s, 13s, 17s, 99s, 200s}) {
        CAPTURE(at.count());
        before.advance(start + at);
        next.advance(start + at);
        for (const std::uint64_t who : {1U, 2U, 3U}) {
            CAPTURE(who);
            const auto known = before.find(who);
            const auto again = next.find(who);
            REQUIRE(again.has_value() == known.has_value());
            if (known) {
                CHECK(again->due == known->due);
                CHECK(again->expected == known->expected);
            }
        }
        CHECK(next.held(100) == doctest::Approx(before.held(100)));
        CHECK(next.size() == before.size());
    }
    CHECK(next.give(4, start + 300s, 2, 1) == before.give(4, start + 300s, 2, 1));
    CHECK(next.give(5, start + 300s, 2, 1) == before.give(5, start + 300s, 2, 1));
}

TEST_CASE("Promises: what was carried and is cut off is taken as far as it is whole") {
    Promises before;
    for (const std::uint64_t who : {1ULL, 2ULL, 0xffff'ffff'ffff'ffffULL}) {
        before.give(who, start + 10s, 1, 255);
    }
    PromisesCarried left = before.carried();
    left.come_back = 7;
    for (std::size_t cut = 0; cut <= left.waiting.size(); ++cut) {
        CAPTURE(cut);
        PromisesCarried part = left;
        part.waiting.resize(cut);
        Promises next;
        next.adopt(part);
        CHECK(next.size() == cut / 20);
        CHECK(next.carried().waiting.size() == cut / 20 * 20);
        CHECK(next.carried().come_back == 1);
    }
    Promises next;
    next.adopt(left);
    for (const std::uint64_t who : {1ULL, 2ULL, 0xffff'ffff'ffff'ffffULL}) {
        CHECK(next.find(who)->due == before.find(who)->due);
    }
}
