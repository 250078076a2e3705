// The real service with `fast_baud`: the rate of modem and port through kill -9, an upgrade, a reload and a stop.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

constexpr int base = 115'200;
constexpr int fast = 230'400;

RackPlan plan(int fast_baud) {
    return {.modems = 2, .config = fmt::format("[defaults]\nfast_baud = {}\n\n", fast_baud)};
}

/// All modems of the simulator are at this rate.
bool are_at(const Rack& rack, int baud) {
    for (const auto& modem : rack.simulate({{"do", "stats"}}).at("modems")) {
        if (modem.at("baud") != baud) {
            return false;
        }
    }
    return true;
}

int baud_of(const Rack& rack, std::size_t modem) {
    return rack.simulate({{"do", "stats"}}).at("modems").at(modem).at("baud").get<int>();
}

int sent = 0;

void sends_and_receives(const Rack& rack) {
    for (int i = 0; i < 4; ++i) {
        const auto id = rack.submit(
            {{"to", fmt::format("+3367{:07}", ++sent)}, {"text", "hello"}, {"report", true}});
        CHECK(rack.reaches(id, "delivered"));
    }
    const auto before = rack.inbox().size();
    for (const int modem : {0, 1}) {
        rack.simulate({{"do", "inbound"}, {"modem", modem}, {"text", "hello {id}"}});
    }
    CHECK(wait_for(10s, [&] { return rack.inbox().size() == before + 2; }));
}

}  // namespace

TEST_CASE(
    "fast_baud: kill -9 leaves the faster rate, and the next start finds it; a stop puts it back") {
    Rack rack(plan(fast));
    CHECK(are_at(rack, fast));
    sends_and_receives(rack);
    for (int n = 0; n < 3; ++n) {
        rack.kill_service();
        CHECK(are_at(rack, fast));
        rack.start_service();
        CHECK(are_at(rack, fast));
        sends_and_receives(rack);
    }
    rack.kill_service();
    rack.simulate({{"do", "reboot"}, {"modem", 0}});  // while no process is there
    rack.start_service();
    CHECK(are_at(rack, fast));
    sends_and_receives(rack);
    CHECK(rack.stop_service() == Ending{0, 0});
    CHECK(are_at(rack, base));
}

TEST_CASE("fast_baud: an upgrade continues at the faster rate, and a reload may end it") {
    Rack rack(plan(fast));
    const Finished done = rack.command({"--json", "upgrade", program("smsrackd")});
    CAPTURE(done.output);
    REQUIRE(done.ending == Ending{0, 0});
    const auto report = wire::parse_json(done.output).value();
    CHECK(rack.follow_service(report.at("pid").get<pid_t>()) == Ending{0, 0});
    CHECK(report.at("lines") == 2);
    CHECK(are_at(rack, fast));
    sends_and_receives(rack);

    std::stringstream text;
    text << std::ifstream(rack.config_file()).rdbuf();
    std::string changed = text.str();
    const auto at = changed.find("fast_baud = 230400");
    REQUIRE(at != std::string::npos);
    changed.replace(at, std::string_view("fast_baud = 230400").size(), "fast_baud = 0");
    std::ofstream(rack.config_file()) << changed;
    CHECK(rack.command({"reload"}).ending == Ending{0, 0});
    CHECK(wait_for(10s, [&] { return are_at(rack, base); }));
    rack.wait_active();
    sends_and_receives(rack);
}

TEST_CASE("fast_baud: a modem that does not have the rate works at its own") {
    RackPlan slow = plan(fast);
    slow.sim_options = {"--service-ms", "20", "--report-ms", "20", "--max-baud", "115200"};
    Rack rack(slow);
    CHECK(are_at(rack, base));
    sends_and_receives(rack);
}

TEST_CASE("fast_baud: a modem that says OK and stays at its rate works at that after a restart") {
    Rack rack(plan(fast));
    rack.simulate({{"do", "rate_ignored"}, {"modem", 0}});
    rack.simulate({{"do", "reboot"}, {"modem", 0}});
    CHECK(wait_for(60s, [&] { return rack.service_log().contains("event=fast_baud_off"); }));
    rack.wait_active();
    CHECK(baud_of(rack, 0) == base);
    CHECK(baud_of(rack, 1) == fast);
    sends_and_receives(rack);
}

TEST_CASE(
    "fast_baud: a cable that loses octets at the faster rate costs that rate and no message") {
    Rack rack(plan(fast));
    rack.simulate({{"do", "rate_lossy"}, {"modem", 1}, {"code", base}});
    std::size_t came = 0;
    CHECK(wait_for(240s, [&] {
        rack.simulate({{"do", "inbound"}, {"modem", 1}, {"text", "hello {id}"}});
        ++came;
        std::this_thread::sleep_for(20ms);  // else thousands wait, more than `baud` carries in time
        return baud_of(rack, 1) == base;
    }));
    CHECK(wait_for(240s, [&] { return rack.inbox().size() == came; }));
    rack.simulate({{"do", "rate_clean"}, {"modem", 1}});
    rack.wait_active();
    sends_and_receives(rack);
}

}  // namespace smsrack::test
