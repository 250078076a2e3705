// The table of places of a trigger against its file of topics.
#include "src/trigger/from_config.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

namespace {

trigger::TriggerSettings with_topics() {
    trigger::TriggerSettings settings;
    // One name that a string has in itself, and one that it has elsewhere.
    settings.topics = trigger::Topics{{.name = "paris"}, {.name = "the whole of the far north"}};
    return settings;
}

}  // namespace

TEST_CASE("add_places: each topic of a place is one of the trigger's") {
    struct Case {
        const char* text;
        const char* fault;  // empty: taken
    };
    for (const Case& it :
         {Case{"208-01-1-1,paris\n208-01-1-2,the whole of the far north\n", ""},
          Case{"208-01-1-1,paris\n208-01-1-2,nowhere\n",
               "line 2: topic nowhere is not in the trigger's file of topics"},
          Case{
              "208-01-1-1,the whole of the far south\n",
              "line 1: topic the whole of the far south is not in the trigger's file of topics"}}) {
        CAPTURE(it.text);
        trigger::TriggerSettings settings = with_topics();
        const auto added = trigger::add_places(settings, it.text);
        CHECK((added ? std::string() : added.error().context) == it.fault);
        CHECK((settings.places != nullptr) == added.has_value());
    }
}

TEST_CASE(
    "add_places: without a file of topics those of the places are the topics, up to the most") {
    trigger::TriggerSettings settings;
    settings.topics_max = 1;
    CHECK(trigger::add_places(settings, "208-01-1-1,paris\n208-01-1-2,paris\n"));
    const auto added = trigger::add_places(settings, "208-01-1-1,paris\n208-01-1-2,lyon\n");
    REQUIRE_FALSE(added);
    CHECK(added.error().context.contains("more than 1 topics: raise topics_max"));
}
