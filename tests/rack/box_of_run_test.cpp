// The last lines of the log, and what is read of the machine: for GET /v1/log and /v1/box.
#include "firmware-host/system/log_tail.hpp"
#include "firmware-host/system/proc_figures.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

using namespace smsrack;
using namespace smsrack::host;

namespace {

class InfoLog final : public Log {
public:
    [[nodiscard]] bool enabled(LogLevel level) const override { return level <= LogLevel::info; }
    void write(LogLevel level, std::string_view, std::initializer_list<LogField>) override {
        written += enabled(level) ? 1 : 0;
    }
    int written = 0;
};

void put(const std::filesystem::path& file, std::string_view text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("LogTail: keeps what is written, the last lines of it, newest first") {
    test::ManualClock clock;
    LogTail tail(clock);
    InfoLog to;
    LogKeeper log(to, tail);
    log.info("first", {{"modem", "m1"}, {"words", "a \"b\""}});
    log.write(LogLevel::debug, "not_written", {});
    REQUIRE(tail.lines(0, 10).size() == 1);
    CHECK(tail.lines(0, 10)[0].event == "first");
    CHECK(tail.lines(0, 10)[0].fields == R"(modem=m1 words="a \"b\"")");
    CHECK(tail.lines(0, 10)[0].at == clock.wall());
    for (std::size_t i = 0; i < LogTail::lines_max; ++i) {
        log.warn("later", {{"long", std::string(2 * LogTail::line_bytes_max, 'x')}});
    }
    CHECK(to.written == static_cast<int>(LogTail::lines_max) + 1);
    const auto all = tail.lines(0, 10'000);
    REQUIRE(all.size() == LogTail::lines_max);
    CHECK(all.front().number == LogTail::lines_max + 1);
    CHECK(all.back().event == "later");  // the first one has gone
    CHECK(all.front().fields.size() == LogTail::line_bytes_max);
    const auto page = tail.lines(all[1].number, 2);
    REQUIRE(page.size() == 2);
    CHECK(page[0].number == all[2].number);
}

TEST_CASE("proc figures: memory, time since the boot, and the slots of a box from an image") {
    const test::TempDir folder;
    const std::filesystem::path root = folder.path();
    ports::BoxFacts none;
    read_figures(root, none);
    CHECK_FALSE(none.memory_total);
    CHECK_FALSE(none.memory_own);
    CHECK(none.slots.empty());
    put(root / "proc/meminfo", "MemTotal:       1024 kB\nMemFree: 1 kB\nMemAvailable:    512 kB\n");
    put(root / "proc/self/status", "Name:\tsmsrackd\nVmRSS:\t    2048 kB\n");
    put(root / "proc/uptime", "4711.25 900.00\n");
    put(root / "proc/cmdline", "root=/dev/x quiet rauc.slot=B panic=10\n");
    put(root / "data/firmware/slot-B.json", R"({"version":"2.1.0","schema":18})");
    put(root / "data/firmware/slot-A.json", "torn");
    ports::BoxFacts facts;
    read_figures(root, facts);
    CHECK(facts.memory_total == 1024UL * 1024);
    CHECK(facts.memory_available == 512UL * 1024);
    CHECK(facts.memory_own == 2048UL * 1024);
    CHECK(facts.up == std::chrono::seconds(4711));
    REQUIRE(facts.slots.size() == 2);
    CHECK(facts.slots[0].name == "A");
    CHECK(facts.slots[0].version.empty());
    CHECK_FALSE(facts.slots[0].booted);
    CHECK(facts.slots[1].version == "2.1.0");
    CHECK(facts.slots[1].booted);
    CHECK_FALSE(kib_line("NotMemTotal: 7 kB\n", "MemTotal:"));
    CHECK_FALSE(kib_line("MemTotal: \n7", "MemTotal:"));
}
