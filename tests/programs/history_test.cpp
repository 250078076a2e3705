// The history as an operator sees it, with the real service: what was counted survives a reload, a
// kill and a restart, and is counted once.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

// A minute is written when it is over.
constexpr auto a_minute = 90s;

void send_one(const Rack& rack) {
    REQUIRE(rack.reaches(rack.submit({{"to", "+33600000001"}, {"text", "counted"}}), "delivered"));
}

std::int64_t sent(const Rack& rack, const std::string& parameters) {
    std::int64_t sum = 0;
    const wire::Json history = rack.get("/v1/history" + parameters);
    for (const wire::Json& value : history.at("all").at("sent")) {
        sum += value.get<std::int64_t>();
    }
    return sum;
}

}  // namespace

TEST_CASE("history: counted once, through a reload, a restart and a kill; with the signals") {
    Rack rack({.modems = 1});
    send_one(rack);
    REQUIRE(rack.command({"reload"}).ending == Ending{0, 0});
    send_one(rack);
    REQUIRE(rack.stop_service() == Ending{0, 0});
    rack.start_service();
    send_one(rack);
    REQUIRE(wait_for(a_minute, [&] { return sent(rack, "?step=1m") == 3; }));
    const wire::Json modem = rack.get("/v1/history?step=1m").at("modems").at(0);
    CHECK(modem.at("name") == "m0");
    CHECK(modem.at("signal_dbm").back().is_number());
    rack.kill_service();
    rack.start_service();
    CHECK(sent(rack, "?step=1m") == 3);
    const Finished table = rack.command({"history", "--since", "2h", "--step", "1m"});
    CHECK(table.ending == Ending{0, 0});
    CHECK(table.output.contains("In all: 3 sent, 0 failed, 0 received."));
}

}  // namespace smsrack::test
