#include "src/scaling/trace.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack::scaling;
using namespace std::chrono_literals;

TEST_CASE("trace: a row holds until the next, the last row is the end") {
    const auto trace = read_trace("seconds,load,crash\n0,10,\n60,20,1\n# a remark\n\n90,30,0\n");
    REQUIRE(trace);
    const auto samples = samples_of(*trace, 30s);
    REQUIRE(samples.size() == 4);
    CHECK(samples[0].load == 10);
    CHECK(samples[1].load == 10);
    CHECK(samples[2].load == 20);
    CHECK(samples[2].crashed == 1);
    CHECK(samples[3].load == 30);
    CHECK(samples[3].crashed == 0);
}

TEST_CASE("trace: columns come in any order, may be absent or empty, and need no header") {
    const auto trace = read_trace("forecast, load ,seconds\r\n,5.5,0\r\n7,1e3,1\r\n");
    REQUIRE(trace);
    CHECK_FALSE(trace->at(0).sample.forecast);
    CHECK(trace->at(0).sample.load == 5.5);
    CHECK(trace->at(1).sample.forecast == 7);
    CHECK(trace->at(1).sample.load == 1'000);
    CHECK_FALSE(trace->at(1).sample.cpu);
    const auto bare = read_trace("0,5000,0.5,0.25\n30,6000\n");
    REQUIRE(bare);
    CHECK(bare->at(0).sample.cpu == 0.5);
    CHECK(bare->at(0).sample.occupancy == 0.25);
    CHECK_FALSE(bare->at(1).sample.cpu);
}

TEST_CASE("trace: what is wrong is said with its line") {
    struct Row {
        const char* text;
        std::size_t line;
        const char* says;
    };
    for (const Row& row : {
             Row{"", 0, "no row"},
             Row{"seconds,load\n", 0, "no row"},
             Row{"seconds,loud\n0,1\n", 1, "no column is named \"loud\""},
             Row{"load,cpu\n0,1\n", 1, "the column seconds is missing"},
             Row{"seconds,load,load\n0,1,1\n", 1, "two columns"},
             Row{"seconds,load\n0,x\n", 2, "load: \"x\""},
             Row{"seconds,load\n0,-1\n", 2, "load: \"-1\""},
             Row{"seconds,load\n0,nan\n", 2, "load: \"nan\""},
             Row{"seconds,load\n0,\n", 2, "load: \"\""},
             Row{"seconds,load\n\n0,1\n0,2\n", 4, "not after"},
             Row{"seconds,load\n0,1,2\n", 2, "3 values"},
             Row{"seconds,load,cpu\n0,1,1.5\n", 2, "cpu: \"1.5\""},
             Row{"seconds,load,occupancy\n0,1,70%\n", 2, "occupancy"},
             Row{"seconds,load,crash\n0,1,0.5\n", 2, "crash"},
         }) {
        CAPTURE(row.text);
        const auto trace = read_trace(row.text);
        REQUIRE_FALSE(trace);
        CHECK(trace.error().front().line == row.line);
        CHECK(trace.error().front().message.find(row.says) != std::string::npos);
    }
    const auto many = read_trace("seconds,load\n0,x\n1,1\n2,y\n");
    REQUIRE_FALSE(many);
    REQUIRE(many.error().size() == 2);
    CHECK(many.error()[1].line == 4);
}
