#include "firmware-host/gate/message_lines.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::gate;

TEST_CASE("with_ref: a message gets a ref if it has none") {
    CHECK(with_ref(R"({"to":"a"})", "r") == R"({"ref":"r","to":"a"})");
    CHECK(with_ref(R"(  { "to": "a" } )", "r") == R"(  {"ref":"r", "to": "a" } )");
    CHECK(with_ref(R"({"to":{"ref":"not this"}})", "r") ==
          R"({"ref":"r","to":{"ref":"not this"}})");
    for (const char* line : {R"({"to":"a","ref":"mine"})", R"({"ref":null})", "{}", "[]",
                             "nonsense", R"({"to":"a"} more)", ""}) {
        CAPTURE(line);
        CHECK_FALSE(with_ref(line, "r"));
    }
}

TEST_CASE("MessageLines: what is not answered is kept in order, and counted") {
    int refs = 0;
    MessageLines lines([&] { return std::to_string(++refs); });
    CHECK(lines.take("{\"to\":\"a\"}\r\n \n{\"to\"") == "{\"ref\":\"1\",\"to\":\"a\"}\n");
    CHECK(lines.take(":\"b\"}\nno") == "{\"ref\":\"2\",\"to\":\"b\"}\n");
    CHECK(lines.take_end() == "no\n");
    CHECK(lines.take_end().empty());
    CHECK(lines.unanswered() == "{\"ref\":\"1\",\"to\":\"a\"}\n{\"ref\":\"2\",\"to\":\"b\"}\nno\n");
    // A line of a few octets takes more to keep than it has.
    CHECK(lines.bytes() >= lines.unanswered().size() + 3 * sizeof(std::string));
    CHECK(lines.may_repeat());
    CHECK(lines.answered("{\"id\":\"7\"}") == "{\"id\":\"7\"}");
    CHECK(lines.unanswered() == "{\"ref\":\"2\",\"to\":\"b\"}\nno\n");
    CHECK(lines.give_up() == 3);
    CHECK(lines.answered(R"({"error":{"detail":"\"line\":9","line":1}})") ==
          R"({"error":{"detail":"\"line\":9","line":4}})");
    CHECK(lines.empty());
    CHECK(lines.bytes() == 0);
    CHECK_FALSE(lines.answered("{}"));
}

TEST_CASE("MessageLines: a line that is too long is one for the service too") {
    MessageLines lines([] { return std::string("r"); });
    const std::string sent =
        lines.take(std::string(3 * wire::LineSplitter::line_bytes_max, 'y') + "\n");
    CHECK(sent.size() == wire::LineSplitter::line_bytes_max + 2);
    CHECK(lines.answered(R"({"error":{"line":1}})") == R"({"error":{"line":1}})");
}

TEST_CASE("MessageLines: a line without room for a ref is not sent twice") {
    MessageLines lines([] { return std::string(40, 'r'); });
    std::string line = R"({"text":")";
    line += std::string(wire::LineSplitter::line_bytes_max - line.size() - 2, 'x') + "\"}\n";
    CHECK(lines.take(line) == line);
    CHECK_FALSE(lines.may_repeat());
    CHECK(lines.give_up() == 1);
    CHECK(lines.may_repeat());
}

TEST_CASE("MessageLines: half a line is none when the reading stops") {
    MessageLines lines([] { return std::string("r"); });
    CHECK(lines.take("{\"to\":\"a\"}\n{\"to\"") == "{\"ref\":\"r\",\"to\":\"a\"}\n");
    lines.forget_half();
    CHECK(lines.take_end().empty());
}
