// A line of a feed is read in place or by the JSON library: with the same result.
#include "src/api/events/event_line.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace smsrack;

namespace {

const trigger::EventForm form{.fields = {"name", "shop"}};
const trigger::EventForm timed{.fields = {"name"}, .time = true};
const trigger::EventForm all{.fields = {"name", "shop"}, .time = true, .tag = true, .place = true};

/// What a reading gives, as one text.
std::string told(const Result<trigger::Event>& event) {
    if (!event) {
        return "error " + std::string(errc_name(event.error().code)) + " " + event.error().context;
    }
    std::string text = std::string(event->number) + "|" + std::string(event->topic);
    if (event->time.data() != nullptr) {
        text += "|at " + std::string(event->time);
    }
    if (event->tag.data() != nullptr) {
        text += "|of " + std::string(event->tag);
    }
    for (const auto& [name, value] : {std::pair{"cell", event->cell}, std::pair{"lat", event->lat},
                                      std::pair{"lon", event->lon}}) {
        if (value.data() != nullptr) {
            text += "|" + std::string(name) + " " + std::string(value);
        }
    }
    for (const std::string_view field : event->fields) {
        text += field.data() == nullptr ? "|-" : "|" + std::string(field);
    }
    return text;
}

std::string quickly(std::string_view line, const trigger::EventForm& of = form) {
    api::EventLineReader reader(of, 1);
    return told(reader.read(line));
}

std::string slowly(std::string_view line, const trigger::EventForm& of = form) {
    api::EventLineReader reader(of, 1);
    return told(reader.read_slowly(line));
}

}  // namespace

TEST_CASE("event line: number and topic are texts, fields may be numbers, others are passed by") {
    struct Row {
        const char* so;
        std::string line;
        std::string told;
    };
    for (const Row& row : {
             Row{"as nearly all are", R"({"number":"+33612345678","topic":"paris"})",
                 "+33612345678|paris|-|-"},
             Row{"in another order, with spaces and a time",
                 " { \"topic\" : \"paris\" ,\t\"time\":1763765212.125,\"number\":\"06\"}\r",
                 "06|paris|-|-"},
             Row{"beyond ASCII", R"({"number":"1","topic":"Orléans","name":"Zoé"})",
                 "1|Orléans|Zoé|-"},
             Row{"escaped", R"({"number":"1","topic":"Orl\u00e9ans\n"})", "1|Orléans\n|-|-"},
             Row{"fields of other types", R"({"number":"1","topic":"a","name":7,"shop":true})",
                 "1|a|7|true"},
             Row{"null is as if it was not there", R"({"number":"1","topic":"a","name":null})",
                 "1|a|-|-"},
             Row{"an empty text is one", R"({"number":"","topic":"","name":""})", "|||-"},
             Row{"more that is not wanted",
                 R"({"number":"1","topic":"a","x":{"y":[1,2]},"l":[{"z":1}],"f":-0.5e3})",
                 "1|a|-|-"},
             Row{"no number", R"({"topic":"a"})", "error bad_request number: is missing"},
             Row{"no topic", R"({"number":"1"})", "error bad_request topic: is missing"},
             Row{"a number that is one", R"({"number":33612345678,"topic":"a"})",
                 "error bad_request number: must be a text"},
             Row{"a list", R"({"number":"1","topic":["a"]})",
                 "error bad_request topic: must be a text"},
             Row{"twice", R"({"number":"1","topic":"a","topic":"b"})",
                 "error bad_request topic: given twice"},
             Row{"twice, of those not wanted", R"({"x":1,"number":"1","x":2,"topic":"a"})",
                 "error bad_request x: given twice"},
             Row{"cut off", R"({"number":"1","topic":"a")",
                 "error bad_request topic: not one JSON value"},
             Row{"two values", R"({"number":"1","topic":"a"}{})",
                 "error bad_request not one JSON value"},
             Row{"not JSON", "number=1", "error bad_request not one JSON value"},
             Row{"no object", "[]", "error bad_request not a JSON object"},
             Row{"not UTF-8", "{\"number\":\"1\",\"topic\":\"\xC3\"}",
                 "error bad_encoding topic: not valid UTF-8"},
         }) {
        CAPTURE(row.so);
        CHECK(quickly(row.line) == row.told);
        CHECK(slowly(row.line) == row.told);
    }
}

TEST_CASE("event line: the time is read by a trigger that has a limit of age, and only then") {
    struct Row {
        const char* what;
        std::string line;
        std::string told;
    };
    for (const Row& row : {
             Row{"a text", R"({"number":"1","topic":"a","time":"2026-11-21T22:46:00Z"})",
                 "1|a|at 2026-11-21T22:46:00Z|-"},
             Row{"a number", R"({"time":1763765212.125,"number":"1","topic":"a"})",
                 "1|a|at 1763765212.125|-"},
             Row{"absent", R"({"number":"1","topic":"a"})", "1|a|-"},
             Row{"null is as if it was not there", R"({"number":"1","topic":"a","time":null})",
                 "1|a|-"},
             Row{"a list", R"({"number":"1","topic":"a","time":[1]})",
                 "error bad_request time: must be a text or a number"},
         }) {
        CAPTURE(row.what);
        CHECK(quickly(row.line, timed) == row.told);
        CHECK(slowly(row.line, timed) == row.told);
    }
    CHECK(quickly(R"({"number":"1","topic":"a","time":[1]})") == "1|a|-|-");
    CHECK(quickly(R"({"number":"1","topic":"a","tag":"beta","time":"noon"})", all) ==
          "1|a|at noon|of beta|-|-");
    CHECK(slowly(R"({"number":"1","topic":"a","tag":"beta","time":"noon"})", all) ==
          "1|a|at noon|of beta|-|-");
    CHECK(quickly(R"({"number":"1","topic":"a","tag":"beta"})") == "1|a|-|-");
    const trigger::EventForm shown{.fields = {"time"}, .time = true};
    CHECK(quickly(R"({"number":"1","topic":"a","time":"noon"})", shown) == "1|a|at noon|noon");
}

TEST_CASE("event line: a trigger with a table of places takes a place for the topic") {
    struct Row {
        const char* what;
        std::string line;
        std::string told;
    };
    for (const Row& row : {
             Row{"a cell", R"({"number":"1","cell":"208-01-4711-33"})",
                 "1||cell 208-01-4711-33|-|-"},
             Row{"a point", R"({"number":"1","lat":48.8566,"lon":-2.5})",
                 "1||lat 48.8566|lon -2.5|-|-"},
             Row{"a point of whole degrees", R"({"number":"1","lat":48,"lon":2})",
                 "1||lat 48|lon 2|-|-"},
             Row{"a point in texts", R"({"number":"1","lat":"48.8566","lon":"2"})",
                 "1||lat 48.8566|lon 2|-|-"},
             Row{"both", R"({"number":"1","topic":"a","cell":"b"})", "1|a|cell b|-|-"},
             Row{"no topic, said so", R"({"number":"1","topic":null,"cell":"b"})", "1||cell b|-|-"},
             Row{"nothing is for the engine to refuse", R"({"number":"1"})", "1||-|-"},
             Row{"a list", R"({"number":"1","cell":["a"]})",
                 "error bad_request cell: must be a text or a number"},
         }) {
        CAPTURE(row.what);
        CHECK(quickly(row.line, all) == row.told);
        CHECK(slowly(row.line, all) == row.told);
    }
    CHECK(quickly(R"({"number":"1","cell":"b"})") == "error bad_request topic: is missing");
}

TEST_CASE("event line: what is read in place is what the JSON library reads") {
    std::mt19937 chance(1);
    const auto below = [&](std::size_t n) { return chance() % n; };
    const std::vector<std::string> seeds{
        R"({"number":"+33612345678","topic":"paris"})",
        R"({"number":"+33612345678","topic":"Orléans €","time":"2026-11-21T22:46:00Z","n":-12.50})",
        R"({ "topic":"a" , "number":"1", "name":"x", "shop":3, "a":true,"b":false,"c":null })",
        R"({"a":0,"b":01,"c":1.,"d":1e400,"e":-,"number":"1","topic":"\"","f":[],"g":{}})",
        "{\"number\":\"\xF0\x9F\x98\x80\",\"topic\":\"\xED\xA0\x80\xEF\xBF\xBF\"}",
    };
    const std::string pieces =
        "{}[]\":,\\ \t\n\r0123456789.-+eE\x1f\x7f\x80\xbf\xc0\xc3\xe2\xed\xf4\xf5\xff"
        "numbertopicfalsenull";
    std::size_t good = 0;
    for (int i = 0; i < 60'000; ++i) {
        std::string line = seeds[below(seeds.size())];
        for (std::size_t changes = below(4); changes > 0; --changes) {
            const std::size_t at = below(line.size() + 1);
            switch (below(4)) {
                case 0:
                    line.insert(at, 1, pieces[below(pieces.size())]);
                    break;
                case 1:
                    line.erase(at, 1 + below(3));
                    break;
                case 2:
                    line.replace(at, 1, 1, pieces[below(pieces.size())]);
                    break;
                default:
                    line.insert(at, line.substr(below(line.size() + 1), below(12)));
                    break;
            }
        }
        CAPTURE(line);
        const std::string in_place = quickly(line);
        REQUIRE(in_place == slowly(line));
        good += in_place.starts_with("error") ? 0 : 1;
    }
    CHECK(good > 5'000);
}
