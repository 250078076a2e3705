/// A client that others wrote takes smsrack-sim for a modem. tools/test installs gammu; without it
/// this fails rather than skips.
#include "src/wire/json.hpp"
#include "tests/support/process.hpp"
#include "tests/support/rack.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

// gammu sets AT+CFUN=1 and does not wait for the restart that a WAVECOM makes of it.
const test::RackPlan plan{
    .modems = 1,
    .sim_options = {"--service-ms", "100", "--report-ms", "50", "--cfun1-keeps"},
};

test::Finished gammu(const test::Rack& rack, std::vector<std::string> words) {
    const auto settings = rack.folder() / "gammurc";
    std::ofstream(settings) << fmt::format("[gammu]\ndevice = {}\nconnection = at115200\n",
                                           (rack.folder() / "modems/modem0").string());
    words.insert(words.begin(), {"/usr/bin/env", "gammu", "-c", settings});
    // It takes 4 s of its own to begin.
    return test::run({.words = std::move(words)}, 60s);
}

}  // namespace

TEST_CASE("gammu identifies a simulated modem") {
    const test::Rack rack(plan, false);
    const auto told = gammu(rack, {"identify"});
    CAPTURE(told.output);
    REQUIRE(told.ending == test::Ending{.code = 0});
    for (const char* part : {"Wavecom", "332395011000000", "208014200000000"}) {
        CAPTURE(part);
        CHECK(told.output.find(part) != std::string::npos);
    }
}

TEST_CASE("gammu sends through a simulated modem") {
    const test::Rack rack(plan, false);
    const auto told = gammu(rack, {"sendsms", "TEXT", "+33612345678", "-text", "hello"});
    CAPTURE(told.output);
    REQUIRE(told.ending == test::Ending{.code = 0});
    const auto submits = rack.submits();
    REQUIRE(submits.size() == 1);
    CHECK(submits[0].to == "+33612345678");
    CHECK(submits[0].pdu.ends_with("05E8329BFD06"));
    CHECK(told.output.find(fmt::format("reference={}", submits[0].mr)) != std::string::npos);
}

TEST_CASE("gammu reads what a simulated modem received") {
    const test::Rack rack(plan, false);
    rack.simulate({{"do", "inbound"}, {"from", "+33699887766"}, {"text", "hello inside"}});
    const auto told = gammu(rack, {"getallsms"});
    CAPTURE(told.output);
    REQUIRE(told.ending == test::Ending{.code = 0});
    CHECK(told.output.find("+33699887766") != std::string::npos);
    CHECK(told.output.find("hello inside") != std::string::npos);
}
