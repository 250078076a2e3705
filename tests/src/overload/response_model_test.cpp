#include "src/overload/response_model.hpp"

#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <deque>

using namespace smsrack;
using namespace smsrack::overload;
using namespace std::chrono_literals;

namespace {

constexpr GroupId red{1};
constexpr GroupId blue{2};

}  // namespace

TEST_CASE("ResponseModel: T_recent is the mean of the level's samples within the horizon") {
    test::ManualClock clock;
    ResponseModel model(clock);
    CHECK_FALSE(model.t_recent(red, 3, 10s));
    model.responded(red, 3, 2s);
    clock.advance(6s);
    model.responded(red, 3, 4s);
    model.responded(red, 4, 9s);
    model.responded(blue, 3, 9s);
    CHECK(model.t_recent(red, 3, 10s)->count() == doctest::Approx(3));
    clock.advance(5s);
    CHECK(model.t_recent(red, 3, 10s)->count() == doctest::Approx(4));
    clock.advance(5s);
    CHECK_FALSE(model.t_recent(red, 3, 10s));
    CHECK_FALSE(model.t_recent(blue, 4, 10s));
}

TEST_CASE("ResponseModel: only the last 32 samples count") {
    test::ManualClock clock;
    ResponseModel model(clock);
    for (int i = 0; i < 100; ++i) {
        model.responded(red, 0, i < 68 ? 100s : 1s);
    }
    CHECK(model.t_recent(red, 0, 10s)->count() == doctest::Approx(1));
}

TEST_CASE("ResponseModel: a slow level is back when its slow samples are too old") {
    test::ManualClock clock;
    ResponseModel model(clock);
    model.responded(red, 3, 9s);
    clock.advance(4s);
    CHECK(model.back_under(red, 3, 10s, 5s).count() == doctest::Approx(6));
    model.responded(red, 3, 2s);  // the mean of both is 5.5 s
    CHECK(model.back_under(red, 3, 10s, 5s).count() == doctest::Approx(6));
    CHECK(model.back_under(red, 3, 10s, 5500ms).count() == doctest::Approx(0));
    CHECK(model.back_under(red, 3, 10s, 1s).count() == doctest::Approx(10));  // both must go
    clock.advance(6s);
    CHECK(model.t_recent(red, 3, 10s).value_or(0s) <= Seconds(5));
    CHECK(model.back_under(red, 3, 10s, 5s).count() == doctest::Approx(0));
    CHECK(model.back_under(blue, 3, 10s, 5s).count() == doctest::Approx(0));
}

TEST_CASE("ResponseModel: a refused submit had its line too, and makes the sent ones dearer") {
    test::ManualClock clock;
    ResponseModel model(clock);
    CHECK_FALSE(model.service(red).measured());
    CHECK(model.service(red).mean == assumed_service);
    model.served(red, 2s, true);
    CHECK(model.service(red).mean.count() == doctest::Approx(2));
    model.served(red, 4s, false);
    CHECK(model.service(red).mean.count() == doctest::Approx(6));
    model.served(red, 4s, true);
    CHECK(model.service(red).mean.count() == doctest::Approx(5));
    CHECK(model.service(red).variation == doctest::Approx(1.0 / 3));
    CHECK_FALSE(model.service(blue).measured());
}

TEST_CASE("ResponseModel: nothing but refusals is a rate that falls, not one that is unknown") {
    test::ManualClock clock;
    ResponseModel model(clock);
    for (int i = 0; i < 20; ++i) {
        model.served(red, 3s, false);
    }
    CHECK(model.service(red).measured());
    CHECK(model.service(red).mean.count() == doctest::Approx(60));
}

TEST_CASE("ResponseModel: a network that has become slow shows after some submits") {
    test::ManualClock clock;
    ResponseModel model(clock);
    for (int i = 0; i < 500; ++i) {
        model.served(red, 1s, true);
    }
    CHECK(model.service(red).mean.count() == doctest::Approx(1));
    for (int i = 0; i < 512; ++i) {
        model.served(red, 5s, true);
    }
    CHECK(model.service(red).mean.count() == doctest::Approx(5));
    clock.advance(3600s);
    // After an hour without traffic, eight tell more than a hundred old ones.
    for (int i = 0; i < 8; ++i) {
        model.served(red, 2s, true);
    }
    CHECK(model.service(red).mean.count() == doctest::Approx(2));
}

TEST_CASE(
    "ResponseModel: mean and variation are those of the newest submits, however many came before") {
    struct Submit {
        SteadyTime at;
        double seconds;
        bool sent;
    };
    test::ManualClock clock;
    test::SeededRandom random(7);
    ResponseModel model(clock);
    std::deque<Submit> newest;
    for (int i = 0; i < 5'000; ++i) {
        // In some stretches the 512 newest are within the five minutes that count, in others few are.
        clock.advance(std::chrono::milliseconds(random.below(i / 1'000 % 2 == 0 ? 200 : 60'000)));
        const std::chrono::milliseconds took(random.below(i % 500 == 0 ? 1'000'000 : 2'000));
        const bool sent = random.below(10) != 0;
        model.served(red, took, sent);
        newest.push_front({clock.steady(), Seconds(took).count(), sent});
        newest.resize(std::min<std::size_t>(newest.size(), 512));
        double occupied = 0;
        double sum = 0;
        double squares = 0;
        double count = 0;
        for (std::size_t age = 0;
             age < newest.size() && (age < 8 || clock.steady() - newest[age].at <= 300s); ++age) {
            const Submit& submit = newest[age];
            occupied += submit.seconds;
            count += submit.sent ? 1 : 0;
            sum += submit.sent ? submit.seconds : 0;
            squares += submit.sent ? submit.seconds * submit.seconds : 0;
        }
        REQUIRE(count > 0);
        const Service service = model.service(red);
        REQUIRE(service.samples == static_cast<std::size_t>(count));
        REQUIRE(service.mean.count() == doctest::Approx(occupied / count).epsilon(1e-6));
        const double mean = sum / count;
        REQUIRE(
            service.variation * mean ==
            doctest::Approx(std::sqrt(std::max(0.0, squares / count - mean * mean))).epsilon(1e-3));
    }
}
