#include "src/trigger/topic_book.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using trigger::TopicBook;
using trigger::TriggerSettings;

namespace {

std::string text_of(const TriggerSettings& settings, std::string_view topic,
                    std::vector<std::string> fields = {}) {
    TopicBook book(settings);
    const auto place = book.find(topic);
    REQUIRE(place);
    return book.text(*place, "+33612345678", fields);
}

}  // namespace

TEST_CASE("topic book: the topic's own text, the template, or the one in the other") {
    TriggerSettings settings{
        .template_text = "Welcome to {topic}!",
        .topics = trigger::Topics{{.name = "paris", .text = "Bonjour"}, {.name = "rome"}}};
    CHECK(text_of(settings, "paris") == "Bonjour");
    CHECK(text_of(settings, "rome") == "Welcome to rome!");
    settings.template_text = "{topic}: {text} {name} {{{number}}}";
    settings.fields = {"age", "name"};
    CHECK(text_of(settings, "paris", {"7", "Zoe"}) == "paris: Bonjour Zoe {+33612345678}");
    CHECK(text_of(settings, "rome", {"7", "Zoe"}) == "rome:  Zoe {+33612345678}");
}

TEST_CASE("topic book: only the fields that a text uses are needed") {
    const TriggerSettings settings{
        .template_text = "{a}",
        .topics = trigger::Topics{{.name = "own", .text = "{b}"}, {.name = "none"}},
        .fields = {"a", "b"}};
    TopicBook book(settings);
    CHECK(book.needed("own") == std::vector<bool>{false, true});
    CHECK(book.needed("none") == std::vector<bool>{true, false});
    TriggerSettings any = settings;
    any.topics.reset();
    TopicBook of_any(any);
    CHECK(of_any.needed("new") == std::vector<bool>{true, false});
    CHECK_FALSE(of_any.known("new"));
}

TEST_CASE("topic book: a text that can't be filled is found before anything starts") {
    struct Case {
        TriggerSettings settings;
        const char* fault;
    };
    for (const Case& c : {
             Case{{.template_text = "{place}"},
                  "template: unknown field {place}: not {topic}, {number} or one of the trigger's "
                  "\"fields\""},
             Case{{.topics = trigger::Topics{{.name = "rome"}}},
                  "topic rome: no text, and the trigger has no template"},
             Case{
                 {.template_text = "x", .topics = trigger::Topics{{.name = "a", .text = "{text}"}}},
                 "topic a: unknown field {text}: not {topic}, {number} or one of the trigger's "
                 "\"fields\""},
             Case{{.template_text = "x}"},
                  "template: octet 2: \"}\" without \"{\" (\"}}\" is the brace itself)"},
         }) {
        const auto good = trigger::check_texts(c.settings);
        REQUIRE_FALSE(good);
        CHECK(good.error().context == c.fault);
    }
    CHECK(trigger::check_texts({.template_text = "{place}", .fields = {"place"}}));
}

TEST_CASE("topic book: members of a group share its pair, others have their own") {
    const TriggerSettings settings{
        .topics =
            trigger::Topics{{"nice", "a", "south"}, {"cannes", "b", "south"}, {"south", "c", ""}}};
    TopicBook book(settings);
    const auto nice = book.find("nice");
    const auto cannes = book.find("cannes");
    const auto south = book.find("south");
    CHECK(nice->pair_topic == cannes->pair_topic);
    CHECK(nice->pair_topic != south->pair_topic);
    CHECK(book.pair_topic(nice->pair_topic).stored_name == "group:south");
    CHECK(book.pair_topic(nice->pair_topic).view.members ==
          std::vector<std::string>{"nice", "cannes"});
    CHECK(book.pair_topic(south->pair_topic).stored_name == "topic:south");
    CHECK_FALSE(book.find("paris"));
}

TEST_CASE("topic book: where any topic is taken, there is a bound") {
    const TriggerSettings settings{.template_text = "x", .topics_max = 2};
    TopicBook book(settings);
    CHECK(book.find("a"));
    CHECK_FALSE(book.find(""));
    CHECK_FALSE(book.find(std::string(256, 'x')));
    CHECK(book.find("b"));
    CHECK_FALSE(book.find("c"));
    CHECK(book.find("a"));
    CHECK_FALSE(book.known("c"));
}

TEST_CASE(
    "topic book: topics of the store are known by what they were; a former group has no place") {
    const TriggerSettings settings{.template_text = "x"};
    TopicBook book(settings);
    const auto paris = book.know("topic:paris");
    REQUIRE(paris);
    book.number(*paris, ports::TopicId{7});
    CHECK(book.with_id(ports::TopicId{7}) == paris);
    CHECK(book.find("paris")->pair_topic == *paris);
    CHECK_FALSE(book.know("group:south"));
}
