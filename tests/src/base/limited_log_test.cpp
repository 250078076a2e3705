#include "src/base/limited_log.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

struct Lines final : Log {
    [[nodiscard]] bool enabled(LogLevel level) const override { return level <= LogLevel::debug; }
    void write(LogLevel, std::string_view event, std::initializer_list<LogField> fields) override {
        std::string line(event);
        for (const LogField& field : fields) {
            line += " " + std::string(field.name) + "=" + field.value;
        }
        lines.push_back(std::move(line));
    }
    std::vector<std::string> lines;
};

struct Rig {
    test::ManualClock clock;
    Lines lines;
    LimitedLog log{lines, clock};
};

}  // namespace

TEST_CASE(
    "LimitedLog: a modem that talks all day writes some lines a minute, and how many were left "
    "out") {
    Rig rig;
    for (int i = 0; i < 600; ++i) {
        for (int j = 0; j < 100; ++j) {
            rig.log.warn("modem_note", {{"modem", "m0"}, {"what", "noise"}});
        }
        rig.clock.advance(1s);
    }
    CHECK(rig.lines.lines.size() <= 10 * (LimitedLog::lines_max + 1));
    CHECK(rig.lines.lines.at(0) == "modem_note modem=m0 what=noise");
    CHECK(rig.lines.lines.at(4) == "log_left_out of=modem_note from=modem=m0 lines=5996");
}

TEST_CASE(
    "LimitedLog: others, other events and the operator's own wish for detail are not touched") {
    Rig rig;
    for (int i = 0; i < 10; ++i) {
        rig.log.warn("a", {{"modem", "m0"}});
    }
    rig.lines.lines.clear();
    rig.log.warn("a", {{"modem", "m1"}});
    rig.log.warn("b", {{"modem", "m0"}});
    rig.log.warn("a", {{"account", "m0"}});
    CHECK(rig.lines.lines.size() == 3);
    for (int i = 0; i < 10; ++i) {
        rig.log.debug("c", {{"modem", "m0"}});
        rig.log.info("ready");
    }
    CHECK(rig.lines.lines.size() == 23);
}

TEST_CASE("LimitedLog: what was left out is said even if the source falls silent, and once") {
    Rig rig;
    for (int i = 0; i < 7; ++i) {
        rig.log.error("a", {{"account", 1000}});
    }
    rig.lines.lines.clear();
    rig.log.say_left_out();
    CHECK(rig.lines.lines.empty());
    rig.clock.advance(60s);
    rig.log.say_left_out();
    rig.log.say_left_out();
    CHECK(rig.lines.lines ==
          std::vector<std::string>{"log_left_out of=a from=account=1000 lines=3"});
}

TEST_CASE("LimitedLog: more sources than it has places for share one, and memory has a bound") {
    Rig rig;
    for (std::size_t i = 0; i < LimitedLog::sources_max + 100; ++i) {
        rig.log.warn("a", {{"account", i}});
    }
    CHECK(rig.lines.lines.size() == LimitedLog::sources_max + LimitedLog::lines_max);
}

TEST_CASE("LimitedLog: what was left out until the end is said at the end") {
    test::ManualClock clock;
    Lines lines;
    {
        LimitedLog log(lines, clock);
        for (int i = 0; i < 6; ++i) {
            log.warn("a", {{"modem", "m0"}});
        }
        lines.lines.clear();
    }
    CHECK(lines.lines == std::vector<std::string>{"log_left_out of=a from=modem=m0 lines=2"});
}
