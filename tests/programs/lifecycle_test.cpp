// Start, stop, and which programs may run at the same time.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace smsrack::test {

using namespace std::chrono_literals;

TEST_CASE(
    "SIGTERM finishes what the modems hold, exits 0, and the rest is sent by the next start") {
    Rack rack({.modems = 2, .sim_options = {"--service-ms", "300", "--report-ms", "20"}});
    constexpr int count = 20;
    std::string lines;  // at once: all must be there before the first ones are through
    for (int n = 0; n < count; ++n) {
        lines +=
            wire::Json{{"to", "+336000000" + std::to_string(60 + n)}, {"text", "through a stop"}}
                .dump() +
            "\n";
    }
    REQUIRE(
        rack.http("POST", "/v1/messages", lines, "Content-Type: application/x-ndjson\r\n").status ==
        200);
    REQUIRE(wait_for(20s, [&] { return rack.states()["sending"] > 0; }));
    CHECK(rack.stop_service() == Ending{0, 0});
    const auto after_stop = rack.submits().size();
    CHECK(after_stop < count);

    rack.start_service();
    CHECK(wait_for(30s, [&] { return rack.states()["delivered"] == count; }));
    CHECK(rack.submits().size() == count);  // nothing was in doubt, so nothing was sent twice
}

TEST_CASE("SIGTERM with nothing to do ends at once") {
    Rack rack({.modems = 1});
    const auto begin = std::chrono::steady_clock::now();
    CHECK(rack.stop_service() == Ending{0, 0});
    CHECK(std::chrono::steady_clock::now() - begin < 15s);  // where something is held: 130 s
    CHECK_FALSE(std::filesystem::exists(rack.socket()));
}

TEST_CASE("a second service on the same state_dir is refused, naming the first") {
    Rack rack({.modems = 1});
    const auto second = run({.words = {program("smsrackd"), "--config", rack.config_file()}});
    CHECK(second.ending.code != 0);
    CHECK(second.output.contains(std::to_string(rack.service().pid())));
    CHECK(rack.reaches(rack.submit({{"to", "+33600000091"}, {"text", "the first is well"}}),
                       "delivered"));
}

TEST_CASE("a stale socket file is replaced") {
    Rack rack({.modems = 1}, false);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, rack.socket().c_str(), rack.socket().string().size());
    REQUIRE(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(fd);
    REQUIRE(std::filesystem::exists(rack.socket()));
    rack.start_service();
    CHECK(rack.http("GET", "/healthz").status == 200);
}

TEST_CASE("after a kill the socket file is stale, and the next start takes it") {
    Rack rack({.modems = 1});
    rack.kill_service();
    CHECK(std::filesystem::exists(rack.socket()));
    rack.start_service();
    CHECK(rack.http("GET", "/healthz").status == 200);
}

TEST_CASE("a bad configuration at SIGHUP changes nothing") {
    Rack rack({.modems = 1});
    std::ofstream(rack.config_file(), std::ios::app) << "\nnonsense = \n";
    rack.service().signal(SIGHUP);
    REQUIRE(
        wait_for(10s, [&] { return rack.service_log().contains(rack.config_file().string()); }));
    CHECK(rack.reaches(rack.submit({{"to", "+33600000092"}, {"text", "as before"}}), "delivered"));
}

}  // namespace smsrack::test
