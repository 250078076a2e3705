#include "src/dispatch/begun.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using dispatch::Begun;

namespace {

constexpr SteadyTime start = SteadyTime{} + 1h;
constexpr SimId here{5};
constexpr SimId lost{6};

constexpr bool is_here(SimId sim) {
    return sim == here;
}

}  // namespace

TEST_CASE("Begun: a message waits for its SIM, which takes nothing else meanwhile") {
    Begun begun(30s);
    CHECK_FALSE(begun.keeps(here));
    begun.wait({.slot = 1, .sim = here, .group = 0, .level = 3}, start);
    CHECK(begun.keeps(here));
    CHECK_FALSE(begun.keeps(lost));
    begun.take_where([](const Begun::Message& one) { return one.slot == 1; });
    CHECK_FALSE(begun.keeps(here));
    CHECK(begun.empty());
}

TEST_CASE("Begun: they are counted by group and level") {
    Begun begun(30s);
    begun.wait({.slot = 1, .sim = here, .group = 0, .level = 3}, start);
    begun.wait({.slot = 2, .sim = lost, .group = 0, .level = 3}, start);
    begun.wait({.slot = 3, .sim = lost, .group = 1, .level = 3}, start);
    CHECK(begun.count(0, 3) == 2);
    CHECK(begun.count(1, 3) == 1);
    CHECK(begun.count(0, 4) == 0);
}

TEST_CASE("Begun: a SIM that does not come back is given up when the patience is over") {
    Begun begun(30s);
    CHECK(begun.deadline() == never);
    begun.wait({.slot = 1, .sim = lost}, start);
    begun.wait({.slot = 2, .sim = here}, start);
    CHECK(begun.deadline() == start + 30s);
    CHECK(begun.give_up(start + 29s, is_here).empty());
    CHECK(begun.give_up(start + 30s, is_here) == std::vector<queue::SlotNumber>{1});
    CHECK(begun.count(0, 0) == 1);
    CHECK(begun.keeps(here));
}

TEST_CASE("Begun: a SIM that was there has the whole patience from when it is gone") {
    Begun begun(30s);
    begun.wait({.slot = 1, .sim = here}, start);
    CHECK(begun.give_up(start + 1min, is_here).empty());
    CHECK(begun.deadline() == start + 90s);
    const auto gone = [](SimId) { return false; };
    CHECK(begun.give_up(start + 89s, gone).empty());
    CHECK(begun.give_up(start + 90s, gone) == std::vector<queue::SlotNumber>{1});
}
