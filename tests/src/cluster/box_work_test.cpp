#include "src/cluster/box_work.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::cluster;

TEST_CASE("box work: what a box says is what the others read") {
    const BoxWork said{.sent = 1.5,
                       .asked = 2,
                       .busy = 0.25,
                       .forecast = 3.75,
                       .groups = {"default", "orange"},
                       .own = 7,
                       .stays = "reports",
                       .seen = 12};
    const auto read = read_box_work(form_of(said));
    REQUIRE(read);
    CHECK(read->sent == said.sent);
    CHECK(read->asked == said.asked);
    CHECK(read->busy == said.busy);
    CHECK(read->forecast == said.forecast);
    CHECK(read->groups == said.groups);
    CHECK(read->own == said.own);
    CHECK(read->stays == said.stays);
    CHECK(read->seen == said.seen);
    CHECK_FALSE(read_box_work(form_of(BoxWork{}))->forecast);
}

TEST_CASE(
    "box work: a release that says more, or less, is read all the same; what is none is not") {
    CHECK(read_box_work("{}")->groups.empty());
    CHECK(read_box_work(R"({"busy":0.5,"later":[1]})")->busy == 0.5);
    for (const char* const form : {"", "[]", "1", R"({"busy":"much"})", R"({"groups":[1]})"}) {
        CAPTURE(form);
        CHECK_FALSE(read_box_work(form));
    }
    const auto decision = read_decision(form_of(DecisionForm{.words = "3 -> 2; drained: b3"}));
    CHECK(decision->words == "3 -> 2; drained: b3");
    CHECK_FALSE(decision->wakes);
    CHECK(read_decision(form_of(DecisionForm{.wakes = true}))->wakes);
    CHECK_FALSE(read_decision(""));
}
