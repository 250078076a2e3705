#include "src/scaling/learned_rate.hpp"

#include <doctest/doctest.h>

using smsrack::scaling::LearnedRate;

TEST_CASE("LearnedRate: nothing before enough messages, then what a busy line sends") {
    LearnedRate learned;
    learned.add(19, 38);
    CHECK(learned.rate() == 0);
    learned.add(1, 2);
    CHECK(learned.rate() == 0);  // a little is forgotten with each sample
    learned.add(1, 2);
    CHECK(learned.rate() == doctest::Approx(0.5));
    for (int i = 0; i < 500; ++i) {
        learned.add(0, 0);
    }
    CHECK(learned.rate() == doctest::Approx(0.5));  // a night tells nothing
    for (int i = 0; i < 500; ++i) {
        learned.add(10, 10);
    }
    CHECK(learned.rate() == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE("LearnedRate: the next run continues with it, also where little was sent recently") {
    LearnedRate before;
    before.add(100, 200);
    for (int i = 0; i < 500; ++i) {
        before.add(0, 0);
    }
    LearnedRate next;
    next.adopt(before.carried());
    CHECK(next.rate() == doctest::Approx(0.5));
    next.add(100, 100);
    before.add(100, 100);
    CHECK(next.rate() == before.rate());
}
