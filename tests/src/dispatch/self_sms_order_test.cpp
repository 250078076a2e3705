#include "src/dispatch/self_sms/self_sms_order.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using dispatch::self_sms_route;

namespace {

ports::LineView ready(const char* name, const char* number, const char* group = "default") {
    return {.name = name,
            .group = group,
            .identity = {.number = number},
            .link = ports::LinkState::active};
}

ports::LineView blocked(ports::LineView line) {
    line.manual = ports::ManualState::blocked;
    return line;
}

ports::LineView resting(ports::LineView line) {
    line.pause = ports::LinePause{.reason = "quota"};
    return line;
}

ports::LineView pending(ports::LineView line) {
    line.link = ports::LinkState::pending;
    return line;
}

}  // namespace

TEST_CASE("self_sms_route: from a line that may send to another one whose number is known") {
    struct Row {
        const char* so;
        std::vector<ports::LineView> lines;
        const char* group;  // "": there is no way
        const char* to;
    };
    for (const Row& row : {
             Row{"the other one", {ready("m0", "+1"), ready("m1", "+2")}, "default", "m1"},
             Row{"never the sender itself", {ready("m0", "+1"), ready("m1", "")}, "default", "m0"},
             Row{"another group first",
                 {ready("m0", "+1"), ready("m1", "+2"), ready("m2", "+3", "g")},
                 "default",
                 "m2"},
             Row{"one that is blocked still hears",
                 {ready("m0", ""), blocked(ready("m1", "+2"))},
                 "default",
                 "m1"},
             Row{"one that is blocked sends nothing",
                 {blocked(ready("m0", "+1")), ready("m1", "+2")},
                 "default",
                 "m0"},
             Row{"one without quota sends nothing",
                 {resting(ready("m0", "+1")), ready("m1", "+2")},
                 "default",
                 "m0"},
             Row{"one alone", {ready("m0", "+1")}, "", "this takes two modems"},
             Row{"none", {}, "", "this takes two modems"},
             Row{"one that is not ready is no recipient",
                 {ready("m0", "+1"), pending(ready("m1", "+2"))},
                 "",
                 "besides the modem that can send"},
             Row{"nobody may send",
                 {blocked(ready("m0", "+1")), pending(ready("m1", "+2"))},
                 "",
                 "no modem can send"},
             Row{"no number is known", {ready("m0", ""), ready("m1", "")}, "", "\"number\""},
         }) {
        CAPTURE(row.so);
        const auto route = self_sms_route(row.lines, {});
        REQUIRE(route.has_value() == !std::string(row.group).empty());
        if (route) {
            CHECK(route->group == row.group);
            CHECK(route->to == row.to);
        } else {
            CHECK(route.error().code == Errc::conflict);
            CHECK(route.error().context.contains(row.to));
        }
    }
}

TEST_CASE("self_sms_route: a group that is held sends nothing, and may be sent to") {
    const std::vector<ports::LineView> lines{ready("m0", "+1", "a"), ready("m1", "+2", "b")};
    const auto route = self_sms_route(lines, {"a"});
    REQUIRE(route);
    CHECK(route->group == "b");
    CHECK(route->to == "m0");
    CHECK(self_sms_route(lines, {"a", "b"}).error().context.contains("paused"));
}
