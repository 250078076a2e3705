// What may be expected of events that are offered: once new, kept for their days, then new again.
#include "tests/days/offers.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using days::Offers;
using days::Pair;

namespace {

constexpr WallTime begin{std::chrono::sys_days{std::chrono::year{2026} / 5 / 1}};
const Pair pair{"+1", "a"};

/// A pair that was offered at `begin` and decided, in a trigger that keeps for two days; then `ends` is what the store says.
struct Decided {
    Offers::Ends ends = {};
    Offers offers{std::chrono::days(2), [this] { return ends; }};

    Decided() { (void)offers.decided(offers.offer({pair}, begin), 1); }
};

}  // namespace

TEST_CASE("offers: what was never offered must be new, and all of it may be") {
    Offers offers(std::chrono::days(2), [] { return Offers::Ends{}; });
    const auto offer = offers.offer({{"+1", "a"}, {"+1", "b"}, {"+2", "a"}}, begin);
    CHECK(offer.must_be_new == 3);
    CHECK(offers.decided(offer, 3).may_be_new == 3);
}

TEST_CASE("offers: one of which no answer was heard may be new, and need not") {
    Offers offers(std::chrono::days(2), [] { return Offers::Ends{}; });
    (void)offers.offer({pair}, begin);
    const auto offer = offers.offer({pair}, begin + 10s);
    CHECK(offer.must_be_new == 0);
    CHECK(offers.decided(offer, 1).may_be_new == 1);
}

TEST_CASE(
    "offers: a decided pair is not new within its days, and is again when they are surely over") {
    struct Case {
        const char* what;
        WallTime::duration after;
        std::size_t must_be_new;
        std::size_t may_be_new;
    };
    for (const Case& row :
         {Case{"soon", 1min, 0, 0}, Case{"just before its last day", 24h - 1s, 0, 0},
          Case{"in the days about the end", 24h, 0, 1}, Case{"still", 96h, 0, 1},
          Case{"when the night after is over", 96h + 1s, 1, 1}}) {
        CAPTURE(row.what);
        Decided decided;
        const auto offer = decided.offers.offer({pair}, begin + row.after);
        CHECK(offer.must_be_new == row.must_be_new);
        CHECK(offer.over == row.must_be_new);
        CHECK(decided.offers.decided(offer, 1).may_be_new == row.may_be_new);
    }
}

TEST_CASE("offers: the days that must be over are those since it was offered last") {
    Decided decided;
    (void)decided.offers.decided(decided.offers.offer({pair}, begin + 72h), 1);
    CHECK(decided.offers.offer({pair}, begin + 120h).must_be_new == 0);
    CHECK(decided.offers.offer({pair}, begin + 216h + 1s).must_be_new == 1);
}

TEST_CASE("offers: one whose days were over is as if it was new") {
    Decided decided;
    const auto again = decided.offers.offer({pair}, begin + 120h);
    (void)decided.offers.decided(again, 1);
    const auto soon = decided.offers.offer({pair}, begin + 120h + 1min);
    CHECK(soon.must_be_new == 0);
    CHECK(decided.offers.decided(soon, 1).may_be_new == 0);
}

TEST_CASE(
    "offers: a pair whose message is on its way is kept, and one whose message was not delivered "
    "may be new") {
    Decided decided;
    SUBCASE("on its way") {
        decided.ends.open = {pair};
        CHECK(decided.offers.offer({pair}, begin + 120h).must_be_new == 0);
    }
    SUBCASE("not delivered") {
        decided.ends.unsent = {pair};
        const auto offer = decided.offers.offer({pair}, begin + 1h);
        CHECK(offer.must_be_new == 0);
        CHECK(decided.offers.decided(offer, 1).may_be_new == 1);
    }
}
