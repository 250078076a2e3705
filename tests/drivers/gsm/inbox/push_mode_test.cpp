#include "drivers/gsm/inbox/push_mode.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {

TEST_CASE("PushMode: an idle modem pushes, one with more to send stores") {
    using namespace std::chrono_literals;
    const SteadyTime start{100s};
    PushMode mode;
    mode.begin(true, start);
    CHECK(mode.due_at() == start);
    CHECK(mode.wish(start) == true);
    mode.told(true);
    CHECK(mode.wish(start + 3s) == std::nullopt);
    CHECK(mode.due_at() == never);

    mode.submit_begins(false);  // a single one
    CHECK(mode.wish(start + 3s) == std::nullopt);
    mode.submit_ended(start + 4s);
    CHECK(mode.wish(start + 9s) == std::nullopt);

    mode.submit_begins(true);
    CHECK(mode.wish(start + 5s) == false);
    mode.told(false);
    CHECK(mode.wish(start + 5s) == std::nullopt);
    mode.submit_ended(start + 6s);
    CHECK(mode.due_at() == start + 6s + PushMode::idle_before);
    CHECK(mode.wish(start + 7s) == std::nullopt);
    CHECK(mode.wish(start + 8s) == true);
}

TEST_CASE("PushMode: a modem that confirms by itself, or refuses, stores") {
    const SteadyTime start{std::chrono::seconds(100)};
    PushMode mode;
    mode.begin(false, start);
    CHECK(mode.wish(never) == std::nullopt);
    mode.begin(true, start);
    mode.refused();
    CHECK(mode.wish(start + PushMode::idle_before) == std::nullopt);
    CHECK(mode.due_at() == never);
}

TEST_CASE("PushMode: it works when the modem took the order, and not after a refusal") {
    PushMode mode;
    mode.begin(false, SteadyTime{});
    CHECK(mode.works() == false);
    mode.begin(true, SteadyTime{});
    CHECK(mode.works() == std::nullopt);
    mode.told(true);
    CHECK(mode.works() == true);
    mode.told(false);  // for a burst
    CHECK(mode.works() == std::nullopt);
    mode.refused();
    CHECK(mode.works() == false);
    mode.adopt(true);
    CHECK(mode.works() == std::nullopt);
}

TEST_CASE("PushMode: what an earlier owner of the modem chose is chosen again") {
    PushMode mode;
    mode.adopt(true);
    CHECK(mode.wish(SteadyTime{std::chrono::seconds(1)}) == true);
    mode.submit_begins(true);
    CHECK(mode.wish(SteadyTime{std::chrono::seconds(1)}) == false);
}

}  // namespace smsrack::gsm
