// Which boxes are silent, seen by one that asks now and then.
#include "src/cluster/beat_watch.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr BoxNumber box{3};

std::vector<ports::BoxRow> row(std::int64_t beats, std::int64_t epoch = 1) {
    return {{.box = box, .epoch = Epoch{epoch}, .beats = beats}};
}

}  // namespace

TEST_CASE("beat watch: a silence is from the first answer to the last question of the same count") {
    cluster::BeatWatch watch;
    const SteadyTime start{};
    CHECK_FALSE(watch.silence(box));
    watch.look(row(7), start, start + 2s);
    CHECK(watch.silence(box) == 0s);
    watch.look(row(7), start + 10s, start + 30s);  // the answer took its time
    CHECK(watch.silence(box) == 8s);
    CHECK(watch.silent_for(9s).empty());
    REQUIRE(watch.silent_for(8s).size() == 1);
    CHECK(watch.silent_for(8s)[0].beats == 7);
    watch.look(row(8), start + 31s, start + 32s);
    CHECK(watch.silence(box) == 0s);
}

TEST_CASE("beat watch: a take-over is no sign of life, and its epoch is known") {
    cluster::BeatWatch watch;
    const SteadyTime start{};
    watch.look(row(7, 1), start, start);
    watch.look(row(7, 2), start + 20s, start + 20s);
    REQUIRE(watch.silent_for(20s).size() == 1);
    CHECK(watch.silent_for(20s)[0].seat.epoch == Epoch{2});
}

TEST_CASE("beat watch: a box that the fleet does not list any more is forgotten") {
    cluster::BeatWatch watch;
    watch.look(row(7), {}, {});
    watch.look({}, SteadyTime{} + 20s, SteadyTime{} + 20s);
    CHECK_FALSE(watch.silence(box));
}

TEST_CASE("beat watch: a box has beaten where its count has grown since this one watches") {
    cluster::BeatWatch watch;
    const SteadyTime start{};
    CHECK_FALSE(watch.has_beaten(box));
    watch.look(row(7), start, start);
    watch.look(row(7, 2), start + 1s, start + 1s);  // no beat of its own
    CHECK_FALSE(watch.has_beaten(box));
    watch.look(row(8, 2), start + 2s, start + 2s);
    CHECK(watch.has_beaten(box));
    watch.look(row(8, 2), start + 3s, start + 3s);
    CHECK(watch.has_beaten(box));
}
