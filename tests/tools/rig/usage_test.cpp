#include "tools/rig/usage.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

using namespace smsrack;

TEST_CASE("usage: a stat line is read behind its name, whatever that holds") {
    for (const char* name : {"smsrackd", "a b", "x) R 1 (y", ""}) {
        CAPTURE(name);
        const auto stat = rig::read_stat(
            "4711 (" + std::string(name) + ") S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 14 0\n", 100);
        REQUIRE(stat);
        CHECK(stat->name == name);
        CHECK(stat->cpu.user == doctest::Approx(2.5));
        CHECK(stat->cpu.system == doctest::Approx(0.5));
        CHECK(stat->cpu.total() == doctest::Approx(3));
    }
}

TEST_CASE("usage: what is no stat line is refused") {
    for (const char* line : {"", "4711 smsrackd S 1", "4711 (smsrackd) S 1 2 3",
                             "4711 (x) S 1 2 3 4 5 6 7 8 9 10 many 50 0"}) {
        CAPTURE(line);
        CHECK_FALSE(rig::read_stat(line, 100));
    }
}

TEST_CASE("usage: memory is read from the rollup in octets") {
    const auto memory = rig::read_rollup(
        "00400000-7ffe ---p 00000000 00:00 0    [rollup]\n"
        "Rss:                9116 kB\nPss:                7003 kB\nPss_Dirty:   1 "
        "kB\nPrivate_Dirty:  512 kB\n");
    REQUIRE(memory);
    CHECK(memory->rss == 9116U * 1024);
    CHECK(memory->pss == 7003U * 1024);
    CHECK(memory->dirty == 512U * 1024);
    CHECK_FALSE(rig::read_rollup("Rss: 1 kB\n"));
}

TEST_CASE("usage: we are a process with threads and memory") {
    const auto usage = rig::usage_of(getpid());
    REQUIRE(usage);
    CHECK_FALSE(usage->threads.empty());
    const auto memory = rig::memory_of(getpid());
    REQUIRE(memory);
    CHECK(memory->pss > 0);
    const auto peak = rig::peak_memory_of(getpid());
    REQUIRE(peak);
    CHECK(*peak >= memory->pss / 2);  // the kernel counts them in steps
    CHECK_FALSE(rig::peak_memory_of(-1));
    CHECK_FALSE(rig::usage_of(-1));
}

TEST_CASE("usage: a difference keeps threads that came later") {
    const rig::Usage before{.cpu = {.user = 1, .system = 1}, .threads = {{"loop", 2}}};
    const rig::Usage after{.cpu = {.user = 3, .system = 2},
                           .threads = {{"line-m", 1}, {"loop", 2.5}}};
    const rig::Usage used = after - before;
    CHECK(used.cpu.total() == doctest::Approx(3));
    CHECK(used.threads.at("loop") == doctest::Approx(0.5));
    CHECK(used.threads.at("line-m") == doctest::Approx(1));
}
