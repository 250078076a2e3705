#include "tools/smsrack/program_runner.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>

using namespace smsrack;
using namespace smsrack::cli;

TEST_CASE("RealPrograms: both outputs apart, the exit code, and lines as they come") {
    RealPrograms programs;
    std::vector<std::string> lines;
    const auto answer = programs.run({"sh", "-c", "echo one; echo two >&2; printf three; exit 7"},
                                     [&lines](std::string_view line) { lines.emplace_back(line); });
    REQUIRE(answer);
    CHECK(answer->code == 7);
    CHECK(answer->out == "one\nthree");
    CHECK(answer->err == "two\n");
    CHECK(lines == std::vector<std::string>{"one", "three"});
}

TEST_CASE("RealPrograms: no shell reads the words, and there is no input") {
    RealPrograms programs;
    CHECK(programs.run({"printf", "%s|", "a b", "$(id)", "; ls"}, {})->out == "a b|$(id)|; ls|");
    CHECK(programs.run({"cat"}, {})->out.empty());
    CHECK(programs.run({"sh", "-c", "echo $LC_ALL"}, {})->out == "C\n");
}

TEST_CASE("RealPrograms: what can't be started, is killed, or talks without end is an error") {
    RealPrograms programs;
    CHECK(programs.run({"smsrack-no-such-program"}, {}).error().code == Errc::not_found);
    CHECK(programs.run({"sh", "-c", "exit 127"}, {}).error().code == Errc::not_found);
    CHECK(programs.run({"sh", "-c", "echo lacks a library >&2; exit 127"}, {})->code == 127);
    const auto killed = programs.run({"sh", "-c", "kill -TERM $$"}, {});
    REQUIRE_FALSE(killed);
    CHECK(killed.error().detail == SIGTERM);
    CHECK(programs.run({"yes"}, {}).error().code == Errc::protocol);
}

TEST_CASE(
    "RealPrograms: one that takes longer than it may is ended, and its children keep no one "
    "waiting") {
    using namespace std::chrono_literals;
    const auto begun = std::chrono::steady_clock::now();
    const auto late = RealPrograms(200ms).run({"sh", "-c", "sleep 30 & sleep 30"}, {});
    CHECK(late.error().code == Errc::timeout);
    CHECK(std::chrono::steady_clock::now() - begun < 20s);
    const auto left = RealPrograms(20s).run({"sh", "-c", "sleep 30 & echo done; exit 3"}, {});
    REQUIRE(left);
    CHECK(left->code == 3);
    CHECK(left->out == "done\n");
    CHECK(std::chrono::steady_clock::now() - begun < 20s);
    CHECK(RealPrograms(20s).run({"echo", "in time"}, {})->out == "in time\n");
}
