#include "src/trigger/topics.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using trigger::parse_topics;

namespace {

std::string fault_of(std::string_view text) {
    const auto topics = parse_topics(text);
    REQUIRE_FALSE(topics);
    CHECK(topics.error().code == Errc::bad_config);
    return topics.error().context;
}

}  // namespace

TEST_CASE("topics: quotes, line ends and headings as RFC 4180 and people have them") {
    for (const std::string_view text :
         {"paris,\"Bonjour, \"\"vous\"\"\"\nlyon,Salut\n",
          "paris,\"Bonjour, \"\"vous\"\"\"\r\nlyon,Salut\r\n",
          "topic,text\nparis,\"Bonjour, \"\"vous\"\"\"\nlyon,Salut",
          "\xEF\xBB\xBFtopic,text,group\nparis,\"Bonjour, \"\"vous\"\"\",\n\nlyon,Salut,\n"}) {
        CAPTURE(std::string(text));
        const auto topics = parse_topics(text);
        REQUIRE(topics);
        REQUIRE(topics->size() == 2);
        CHECK((*topics)[0].name == "paris");
        CHECK((*topics)[0].text == "Bonjour, \"vous\"");
        CHECK((*topics)[0].group.empty());
        CHECK((*topics)[1].name == "lyon");
        CHECK((*topics)[1].text == "Salut");
    }
}

TEST_CASE("topics: a quoted text may go over lines; a topic may have no text, and a group") {
    const auto topics = parse_topics("nice,\"two\nlines\",south\ncannes,,south\nlille\n");
    REQUIRE(topics);
    REQUIRE(topics->size() == 3);
    CHECK((*topics)[0].text == "two\nlines");
    CHECK((*topics)[1].text.empty());
    CHECK((*topics)[1].group == "south");
    CHECK((*topics)[2].name == "lille");
}

TEST_CASE("topics: a semicolon is a character as others where commas part the fields") {
    const auto topics = parse_topics("a;b,caf\xC3\xA9; tea\nlille\n");
    REQUIRE(topics);
    CHECK((*topics)[0].name == "a;b");
    CHECK((*topics)[0].text == "caf\xC3\xA9; tea");
}

TEST_CASE("topics: what is wrong is named with its line") {
    struct Case {
        std::string_view text;
        const char* fault;
    };
    for (const Case& c : {
             Case{"", "line 1: no topic in the file"},
             Case{"topic,text\n", "line 1: no topic in the file"},
             Case{
                 "a,x\nb,y,c,d\n",
                 "line 2: more than the three fields topic, text and group (a text with a comma is "
                 "put in quotes)"},
             Case{"a,x\n,y\n", "line 2: no topic"},
             Case{"a,\"x\ny\"\na,z\n", "line 3: the topic is on an earlier line too"},
             Case{"a,x\nb,\"y\n", "line 2: a quote that does not end"},
             Case{"a,\"x\"y\n", "line 1: something behind the quote that ends a field"},
             Case{"a,x\"y\n", "line 1: a quote within a field that does not begin with one"},
             Case{"a,{b\n",
                  "line 1: text: octet 1: \"{\" without \"}\" (\"{{\" is the brace itself)"},
             Case{"a,x\nb,Caf\xE9\n", "line 2: not UTF-8: save the file as \"CSV UTF-8\""},
             Case{"\xFF\xFE,x\n", "line 1: not UTF-8: save the file as \"CSV UTF-8\""},
             Case{std::string_view("a,x\nb\0,y\n", 9),
                  "line 2: an octet 0, as UTF-16 has them: save the file as \"CSV UTF-8\""},
             Case{"paris;Bonjour\nlyon;Salut\n",
                  "line 1: fields are parted by semicolons: save the file with commas"},
             Case{"lille\nlyon;Salut\n",
                  "line 2: fields are parted by semicolons: save the file with commas"},
             Case{"topic;text\nparis;Bonjour, vous\n",
                  "line 1: fields are parted by semicolons: save the file with commas"},
             Case{"a,x\ry\n", "line 1: a carriage return within a record that is not quoted"},
         }) {
        CAPTURE(std::string(c.text));
        CHECK(fault_of(c.text) == c.fault);
    }
    std::string many;
    for (std::size_t i = 0; i <= trigger::topics_max; ++i) {
        many += "t" + std::to_string(i) + ",x\n";
    }
    CHECK(fault_of(many) == "line 10001: more than 10000 topics");
}
