#include "tools/smsrack/messages/batch_reader.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <array>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace smsrack;
using namespace smsrack::cli;

namespace {

/// Each item as "LINE REQUEST" or "LINE !FAULT"; or "ERROR" where the header is wrong.
std::vector<std::string> items_of(const std::string& content, const MessageFields& defaults = {}) {
    const test::TempDir folder;
    const auto file = folder.path() / "batch";
    std::ofstream(file, std::ios::binary) << content;
    LineSource lines(client::UniqueFd(::open(file.c_str(), O_RDONLY)), [](int) { return true; });
    auto reader = BatchReader::open(lines, defaults);
    if (!reader) {
        return {"ERROR " + reader.error().message};
    }
    std::vector<std::string> items;
    while (const auto item = reader->next()) {
        items.push_back(std::to_string(item->line) +
                        (item->fault.empty() ? " " + item->request : " !" + item->fault));
    }
    return items;
}

using Items = std::vector<std::string>;

}  // namespace

TEST_CASE("BatchReader: CSV with a header becomes requests") {
    CHECK(items_of("to,text\n+331,hello\n+332,\"a, b\"\n") ==
          Items{R"(2 {"text":"hello","to":"+331"})", R"(3 {"text":"a, b","to":"+332"})"});
    CHECK(items_of("\xEF\xBB\xBFto;text;priority;report\r\n+331;hé;5;no\r\n\r\n+332;x;;\r\n") ==
          Items{R"(2 {"priority":5,"report":false,"text":"hé","to":"+331"})",
                R"(4 {"text":"x","to":"+332"})"});
    CHECK(items_of("to,text\n+331,last line without an end") ==
          Items{R"(2 {"text":"last line without an end","to":"+331"})"});
    CHECK(items_of("to,text\n+331,\"two\nlines\"\n+332,x\n") ==
          Items{R"(2 {"text":"two\nlines","to":"+331"})", R"(4 {"text":"x","to":"+332"})"});
    CHECK(items_of("to,data\n+331,DCBA\n") == Items{R"(2 {"data":"DCBA","to":"+331"})"});
    CHECK(items_of("to,text\n").empty());
}

TEST_CASE("BatchReader: a bad line is reported with its number and hurts no other") {
    CHECK(items_of("to,text\n+331\n+332,x\n") ==
          Items{"2 !1 values, but the header has 2", R"(3 {"text":"x","to":"+332"})"});
    CHECK(items_of("to,text\n,x\n+332,\n") == Items{"2 !to: is empty", "3 !text: is empty"});
    CHECK(items_of("to,text,priority\n+331,x,high\n") ==
          Items{"2 !priority: must be a whole number"});
    CHECK(items_of("to,text,report\n+331,x,perhaps\n") ==
          Items{"2 !report: must be true or false"});
    CHECK(items_of("to,text\n+331,\xC3\x28\n+332,x\n") ==
          Items{"2 !text: not valid UTF-8", R"(3 {"text":"x","to":"+332"})"});
    CHECK(items_of("to,text\n+331,\"open\n+332,x\n+333,y\n") ==
          Items{"2 !the quotes are not closed", R"(3 {"text":"x","to":"+332"})",
                R"(4 {"text":"y","to":"+333"})"});
    CHECK(items_of("to,text\n+331,\"open\n+332,x\n+333,\"y\"\n") ==
          Items{"2 !the quotes are not closed", R"(3 {"text":"x","to":"+332"})",
                R"(4 {"text":"y","to":"+333"})"});
    CHECK(items_of("to,text\n+331," + std::string(70'000, 'x') + "\n+332,x\n") ==
          Items{"2 !longer than 64 KiB", R"(3 {"text":"x","to":"+332"})"});
}

TEST_CASE("BatchReader: JSON Lines are recognised by their first line") {
    CHECK(items_of("{\"to\":\"+331\",\"text\":\"x\"}\n\n  \n{\"to\":\"+332\",\"text\":\"y\"}") ==
          Items{R"(1 {"text":"x","to":"+331"})", R"(4 {"text":"y","to":"+332"})"});
    const Items bad = items_of(
        "{\"to\":\"+331\",\"text\":\"x\"}\n{\"to\":\n[1]\n{\"to\":\"+332\",\"text\":\"y\"}\n");
    REQUIRE(bad.size() == 4);
    CHECK(bad[1].starts_with("2 !not one JSON value"));
    CHECK(bad[2] == "3 !not a JSON object");
    CHECK(bad[3] == R"(4 {"text":"y","to":"+332"})");
}

TEST_CASE("BatchReader: options fill in what a line does not say") {
    CHECK(items_of("to,text,note\n+331,x,order 7\n+332,y,\n", {.note = "all"}) ==
          Items{R"(2 {"note":"order 7","text":"x","to":"+331"})",
                R"(3 {"note":"all","text":"y","to":"+332"})"});
    const MessageFields defaults{.priority = 6, .report = false, .group = "g"};
    CHECK(items_of("to,text,priority\n+331,x,\n+332,y,1\n", defaults) ==
          Items{R"(2 {"group":"g","priority":6,"report":false,"text":"x","to":"+331"})",
                R"(3 {"group":"g","priority":1,"report":false,"text":"y","to":"+332"})"});
    CHECK(items_of(R"({"to":"+331","text":"x","report":true})", defaults) ==
          Items{R"(1 {"group":"g","priority":6,"report":true,"text":"x","to":"+331"})"});
}

TEST_CASE("BatchReader: a header that can't be used is refused before anything is sent") {
    for (const char* content :
         {"", "\n\n", "number,text\n+331,x\n", "to\n+331\n", "to,text,to\n", "+331,hello\n"}) {
        CAPTURE(content);
        const Items items = items_of(content);
        REQUIRE(items.size() == 1);
        CHECK(items[0].starts_with("ERROR"));
    }
}

TEST_CASE("BatchReader: a line that was read in part when the reading was stopped is not given") {
    for (const char* content :
         {"to,text\n+331,whole\n+332", "to,text\n+331,whole\n+332,\"open\nquo",
          "to,text\n+331,whole\n+332,\"open\n"}) {
        CAPTURE(content);
        std::array<int, 2> pipes{};
        REQUIRE(::pipe(pipes.data()) == 0);
        const std::string text = content;
        REQUIRE(::write(pipes[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
        int reads = 0;  // the first finds all of it, and before the second Ctrl-C comes
        LineSource lines(client::UniqueFd{pipes[0]}, [&reads](int) { return ++reads == 1; });
        auto reader = BatchReader::open(lines, {});
        REQUIRE(reader);
        const auto whole = reader->next();
        REQUIRE(whole);
        CHECK(whole->fault == "");
        CHECK_FALSE(reader->next());
        CHECK(lines.stopped());
        ::close(pipes[1]);
    }
}
