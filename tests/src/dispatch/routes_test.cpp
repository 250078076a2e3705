#include "src/dispatch/routes.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using dispatch::Routes;

namespace {

constexpr SimId own{5};
constexpr SimId other{6};

OutMessage sticky_to(std::string number, SimId known = {}) {
    OutMessage message;
    message.body.to = std::move(number);
    message.sticky = true;
    message.known_sim = known;
    return message;
}

/// No test may ask.
bool not_asked(std::optional<SimId> /*sim*/) {
    FAIL("no other line matters");
    return false;
}

}  // namespace

TEST_CASE("Routes: a message that any SIM may send has no route") {
    const Routes routes(10);
    const auto route = routes.of(OutMessage{}, own, false, not_asked);
    CHECK(route.known == SimId{});
    CHECK(route.other_can_send == false);
}

TEST_CASE("Routes: a recipient's own SIM is waited for while it can send") {
    const Routes routes(10);
    for (const bool can_send : {true, false}) {
        CAPTURE(can_send);
        const auto route =
            routes.of(sticky_to("+33611", other), own, false, [&](std::optional<SimId> sim) {
                CHECK(sim == other);
                return can_send;
            });
        CHECK(route.known == other);
        CHECK(route.other_can_send == can_send);
    }
    CHECK(routes.of(sticky_to("+33611", own), own, false, not_asked).known == own);
    CHECK(routes.of(sticky_to("+33611"), own, false, not_asked).other_can_send == false);
}

TEST_CASE("Routes: the SIM that was given the last message is known before the store says so") {
    Routes routes(10);
    OutMessage first = sticky_to("+33611");
    routes.given(first, other);
    CHECK(first.known_sim == other);
    const auto can_send = [](std::optional<SimId>) { return true; };
    CHECK(routes.of(sticky_to("+33611"), own, false, can_send).known == other);
    CHECK(routes.of(sticky_to("+33611", own), own, false, can_send).known == other);
    CHECK(routes.of(sticky_to("+33622"), own, false, can_send).known == SimId{});
    OutMessage any = sticky_to("+33633");
    any.sticky = false;
    routes.given(any, other);
    CHECK(routes.of(sticky_to("+33633"), own, false, can_send).known == SimId{});
}

TEST_CASE("Routes: no more recipients are kept than messages have places") {
    Routes routes(2);
    for (const char* number : {"+33611", "+33622", "+33633"}) {
        OutMessage message = sticky_to(number);
        routes.given(message, other);
    }
    const auto can_send = [](std::optional<SimId>) { return true; };
    CHECK(routes.of(sticky_to("+33611"), own, false, can_send).known == SimId{});
    CHECK(routes.of(sticky_to("+33633"), own, false, can_send).known == other);
}

TEST_CASE("Routes: the rack's own message goes to a SIM by another one, where one can send") {
    const Routes routes(10);
    OutMessage self;
    self.self_sms = true;
    const auto any_can = [](std::optional<SimId> sim) { return !sim.has_value(); };
    const auto none_can = [](std::optional<SimId>) { return false; };
    CHECK(routes.of(self, own, true, any_can).other_can_send == true);
    CHECK(routes.of(self, own, true, none_can).other_can_send == false);
    CHECK_FALSE(routes.of(self, own, false, not_asked).to_itself);
}
