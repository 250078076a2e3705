/// ModemManager takes smsrack-sim for a modem: ten messages out, ten in. tools/test installs it;
/// without it this fails rather than skips.
#include "tests/support/process.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <unistd.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("ModemManager sends ten messages through a simulated modem and receives ten") {
    constexpr int messages = 10;
    const std::string sockets = fmt::format("abstract:smsrack-test-{}-", getpid());
    const test::Rack rack({.modems = 1,
                           .sim_options = {"--service-ms", "50", "--cpin-ok", "--mem3",
                                           "--cfun1-keeps", "--abstract", sockets}},
                          false);
    for (int i = 0; i < messages; ++i) {
        rack.simulate({{"do", "inbound"}, {"text", fmt::format("answer <{}>", i)}});
    }
    const auto log = rack.folder() / "modemmanager.log";
    const auto told =
        test::run({.words = {"/usr/bin/env", "dbus-run-session", "--", "sh",
                             SMSRACK_SOURCE_DIR "/tests/programs/support/modemmanager.sh",
                             sockets + "0", log}},
                  90s);
    CAPTURE(told.output);
    const std::string full = test::read_file(log);
    CAPTURE(full.substr(full.size() - std::min<std::size_t>(full.size(), 4000)));
    REQUIRE(told.ending == test::Ending{.code = 0});
    std::set<std::string> reached;
    for (const test::Submit& submit : rack.submits()) {
        reached.insert(submit.to);
    }
    CHECK(rack.submits().size() == messages);
    CHECK(reached.size() == messages);
    for (int i = 0; i < messages; ++i) {
        CHECK(told.output.contains(fmt::format("received: answer <{}>", i)));
    }
}
