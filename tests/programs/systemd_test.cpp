// What systemd keeps for the service: over a restart the socket, the ports and what is known of the modems; its main
// process after an upgrade; a socket that systemd itself made. systemd's part is played by fake_systemd.py.
#include "tests/support/poster.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

class FakeSystemd {
public:
    FakeSystemd(Rack& rack, const std::string& activated)
        : rack_(rack),
          process_({.words = {"/usr/bin/python3",
                              std::string(SMSRACK_SOURCE_DIR) +
                                  "/tests/programs/support/fake_systemd.py",
                              rack.folder(), activated, program("smsrackd"), "--config",
                              rack.config_file()},
                    .output = rack.folder() / "smsrackd.log"}) {}
    ~FakeSystemd() {
        process_.signal(SIGTERM);
        (void)process_.wait(30s);
    }
    FakeSystemd(const FakeSystemd&) = delete;
    FakeSystemd& operator=(const FakeSystemd&) = delete;

    /// The process that it started last; 0: none yet.
    [[nodiscard]] pid_t pid() const {
        const std::string text = read_file(rack_.folder() / "pid");
        return text.empty() ? 0 : std::stoi(text);
    }
    [[nodiscard]] bool was_told(const std::string& words) const {
        return read_file(rack_.folder() / "notified").contains(words);
    }
    [[nodiscard]] std::size_t times_told(const std::string& words) const {
        const std::string all = read_file(rack_.folder() / "notified");
        std::size_t count = 0;
        for (std::size_t at = all.find(words); at != std::string::npos;
             at = all.find(words, at + 1)) {
            ++count;
        }
        return count;
    }
    /// As `systemctl restart`.
    bool restart() {
        const pid_t before = pid();
        process_.signal(SIGHUP);
        return wait_for(60s, [&] { return pid() != before; });
    }

private:
    Rack& rack_;
    Process process_;
};

std::size_t set_ups(const Rack& rack) {
    const std::string log = rack.service_log();
    std::size_t count = 0;
    for (std::size_t at = log.find("line=AT+CGSN"); at != std::string::npos;
         at = log.find("line=AT+CGSN", at + 1)) {
        ++count;
    }
    return count;
}

bool serves(const Rack& rack) {
    try {
        return rack.http("GET", "/readyz").status == 200;
    } catch (const std::runtime_error&) {
        return false;
    }
}

bool all_active(const Rack& rack) {
    const wire::Json page = rack.get("/v1/modems");
    for (const wire::Json& modem : page.at("modems")) {
        if (modem.at("link") != "active") {
            return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("systemctl restart: socket and ports are kept, and no modem is set up again") {
    Rack rack({.modems = 3, .config = "log_level = \"trace\"\n"}, false);
    FakeSystemd systemd(rack, "-");
    REQUIRE(wait_for(30s, [&] { return serves(rack) && all_active(rack); }));
    const std::size_t set_up_once = set_ups(rack);
    CHECK(rack.reaches(rack.submit(poster_message(1)), "delivered"));
    for (int n = 2; n < 5; ++n) {
        REQUIRE(systemd.restart());
        // A client that connects meanwhile waits in the socket's backlog.
        CHECK(rack.reaches(rack.submit(poster_message(n)), "delivered"));
        CHECK(wait_for(30s, [&] { return all_active(rack); }));
    }
    CHECK(set_ups(rack) == set_up_once);
    CHECK(systemd.was_told("FDSTOREREMOVE=1 FDNAME=smsrack-state"));
}

TEST_CASE("what was stored is used once: a start after a crash sets the modems up again") {
    Rack rack({.modems = 2, .config = "log_level = \"trace\"\n"}, false);
    FakeSystemd systemd(rack, "-");
    REQUIRE(wait_for(30s, [&] { return serves(rack) && all_active(rack); }));
    REQUIRE(systemd.restart());
    REQUIRE(wait_for(30s, [&] { return serves(rack) && all_active(rack); }));
    const std::size_t before = set_ups(rack);
    const pid_t killed = systemd.pid();
    REQUIRE(kill(killed, SIGKILL) == 0);
    REQUIRE(wait_for(30s, [&] { return systemd.pid() != killed; }));
    REQUIRE(wait_for(30s, [&] { return serves(rack) && all_active(rack); }));
    CHECK(set_ups(rack) == before + 2);
    CHECK(rack.reaches(rack.submit(poster_message(1)), "delivered"));
}

TEST_CASE("after an upgrade systemd knows the new process as the main one") {
    Rack rack({.modems = 1}, false);
    FakeSystemd systemd(rack, "-");
    REQUIRE(wait_for(30s, [&] { return serves(rack) && all_active(rack); }));
    const Finished done = rack.command({"--json", "upgrade", program("smsrackd")});
    CAPTURE(done.output);
    REQUIRE(done.ending == Ending{0, 0});
    const auto pid = wire::parse_json(done.output).value().at("pid").get<pid_t>();
    CHECK(wait_for(10s, [&] { return systemd.was_told("MAINPID=" + std::to_string(pid)); }));
    CHECK(rack.reaches(rack.submit(poster_message(1)), "delivered"));
    REQUIRE(systemd.restart());
    CHECK(rack.reaches(rack.submit(poster_message(2)), "delivered"));
}

TEST_CASE("each run tells the watchdog at once that it is alive, however soon the next one comes") {
    Rack rack({.modems = 1}, false);
    FakeSystemd systemd(rack, "-");
    REQUIRE(wait_for(30s, [&] { return serves(rack) && all_active(rack); }));
    for (std::size_t runs = 2; runs < 5; ++runs) {
        REQUIRE(rack.command({"upgrade", program("smsrackd")}).ending == Ending{0, 0});
        CHECK(wait_for(10s, [&] { return systemd.times_told("READY=1 WATCHDOG=1") == runs; }));
    }
}

TEST_CASE(
    "socket activation: the service takes the socket that systemd has made, and leaves its file") {
    Rack rack({.modems = 1}, false);
    {
        FakeSystemd systemd(rack, rack.socket());
        REQUIRE(wait_for(30s, [&] { return serves(rack) && all_active(rack); }));
        CHECK(rack.reaches(rack.submit(poster_message(1)), "delivered"));
        REQUIRE(systemd.restart());
        CHECK(rack.reaches(rack.submit(poster_message(2)), "delivered"));
    }
    CHECK(std::filesystem::exists(rack.socket()));
}

}  // namespace smsrack::test
