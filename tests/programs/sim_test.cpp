/// smsrack-sim as a process: its ports, its log, its control socket, its end.
#include "src/wire/json.hpp"
#include "tests/support/process.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/serial_client.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/unix_http.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <sys/stat.h>

using namespace smsrack;
using namespace std::chrono_literals;
using test::SerialClient;
using wire::Json;

namespace {

constexpr const char* sample_pdu = "0021000B913316325476F800000AE8329BFD4697D9EC37\x1A";

std::filesystem::path port(const test::Rack& rack, unsigned modem) {
    return rack.folder() / fmt::format("modems/modem{}", modem);
}

Json ask(const test::Rack& rack, const std::string& line) {
    test::UnixStream control(rack.folder() / "sim.sock");
    REQUIRE(control.send(line + "\n"));
    auto answer = wire::parse_json(control.receive_until("\n"));
    REQUIRE(answer);
    return *answer;
}

}  // namespace

TEST_CASE("each modem of a rack is a port of its own that anybody may open") {
    const test::Rack rack({.modems = 3}, false);
    std::set<std::string> serials;
    for (unsigned modem = 0; modem < 3; ++modem) {
        struct stat found {};
        REQUIRE(::stat(port(rack, modem).c_str(), &found) == 0);
        CHECK(S_ISCHR(found.st_mode));
        CHECK((found.st_mode & 0666U) == 0666U);
        const SerialClient client(port(rack, modem));
        CHECK(client.at("ATE0").ends_with("\r\nOK\r\n"));
        serials.insert(client.at("AT+CGSN"));
    }
    CHECK(serials.size() == 3);
}

TEST_CASE("the log has a submit before its answer can be seen") {
    const test::Rack rack({.modems = 1, .sim_options = {"--service-ms", "0", "--baud", "0"}},
                          false);
    const SerialClient client(port(rack, 0));
    (void)client.at("ATE0");
    for (std::size_t sent = 1; sent <= 50; ++sent) {
        client.write("AT+CMGS=22\r");
        REQUIRE(client.read_until("> ") == "\r\n> ");
        client.write(sample_pdu);
        const std::string answer = client.read_until("OK\r\n");
        const auto submits = rack.submits();
        REQUIRE(submits.size() == sent);
        CHECK(answer == fmt::format("\r\n+CMGS: {}\r\n\r\nOK\r\n", submits.back().mr));
    }
}

TEST_CASE("an answer waits in the port for the client that comes after a crash") {
    const test::Rack rack({.modems = 1, .sim_options = {"--service-ms", "100"}}, false);
    {
        const SerialClient client(port(rack, 0));
        (void)client.at("ATE0");
        client.write("AT+CMGS=22\r");
        REQUIRE(client.read_until("> ") == "\r\n> ");
        client.write(sample_pdu);
    }
    REQUIRE(test::wait_for(10s, [&] { return rack.submits().size() == 1; }));
    const SerialClient next(port(rack, 0));
    CHECK(next.read_until("OK\r\n").starts_with("\r\n+CMGS: "));
}

TEST_CASE("unplug hangs up and takes the link away, replug brings another port and a start") {
    const test::Rack rack({.modems = 2}, false);
    const SerialClient before(port(rack, 1));
    (void)before.at("AT+WIND=32767");
    rack.simulate({{"do", "unplug"}, {"modem", 1}});
    CHECK(before.hung_up());
    CHECK_FALSE(std::filesystem::exists(std::filesystem::symlink_status(port(rack, 1))));
    CHECK(std::filesystem::exists(port(rack, 0)));
    rack.simulate({{"do", "replug"}, {"modem", 1}});
    const SerialClient after(port(rack, 1));
    CHECK(after.read_until("+WIND: 16\r\n").find("+WIND: 3\r\n") != std::string::npos);
}

TEST_CASE("a burst of inbound messages is spread over the rack and waits where a SIM is full") {
    const test::Rack rack({.modems = 4}, false);
    rack.simulate({{"do", "inbound"}, {"count", 400}, {"text", "burst {id}"}});
    const Json stats = ask(rack, R"({"do":"stats"})");
    REQUIRE(stats.at("modems").size() == 4);
    for (const Json& modem : stats.at("modems")) {
        CHECK(modem.at("stored") == 50);
        CHECK(modem.at("inbound") == 50);
        CHECK(modem.at("inbound_waiting") == 50);
    }
    const SerialClient client(port(rack, 2));
    CHECK(client.at("AT+CMGD=1,4").ends_with("OK\r\n"));
    const Json later = ask(rack, R"({"do":"stats"})");
    CHECK(later.at("modems").at(2).at("deleted") == 50);
    CHECK(later.at("modems").at(2).at("inbound_waiting") == 0);
}

TEST_CASE("a reply comes from whom the modem last sent to") {
    const test::Rack rack({.modems = 1, .sim_options = {"--service-ms", "0"}}, false);
    CHECK(ask(rack, R"({"do":"reply","modem":0})").at("ok") == false);
    const SerialClient client(port(rack, 0));
    (void)client.at("ATE0");
    client.write("AT+CMGS=22\r");
    (void)client.read_until("> ");
    client.write(sample_pdu);
    (void)client.read_until("OK\r\n");
    CHECK(ask(rack, R"({"do":"reply","modem":0,"text":"thanks"})").at("ok") == true);
    CHECK(client.read_until("+CMTI: \"SM\",1\r\n").ends_with("1\r\n"));
    CHECK(client.at("AT+CMGR=1").find("0B913316325476F8") != std::string::npos);
}

TEST_CASE("what the control socket does not understand it refuses, and continues") {
    const test::Rack rack({.modems = 2}, false);
    for (const char* line : {
             R"({"do":"explode"})",
             R"({"do":"hang","modem":2})",
             R"({"do":"hang","modem":-1})",
             R"({"do":"hang","modem":"0"})",
             R"({"do":"cms_error","code":1000})",
             R"({"do":"cms_error","at":"noon"})",
             R"({"do":"garbage","count":1000000})",
             R"({"do":"inbound","from":"+336112233445566778899"})",
             R"({"do":"inbound","from":"+"})",
             R"({"do":7})",
             R"([1])",
             R"({"do":"hang")",
             "",
             "\xFF",
         }) {
        CAPTURE(line);
        const Json answer = ask(rack, line);
        CHECK(answer.at("ok") == false);
        CHECK_FALSE(answer.at("error").get<std::string>().empty());
    }
    CHECK(ask(rack, R"({"do":"stats"})").at("ok") == true);
}

TEST_CASE("faults reach the modem they name, and others continue") {
    const test::Rack rack({.modems = 2}, false);
    const SerialClient first(port(rack, 0));
    const SerialClient second(port(rack, 1));
    rack.simulate({{"do", "hang"}, {"modem", 0}});
    first.write("AT\r");
    CHECK(second.at("AT").ends_with("OK\r\n"));
    CHECK(first.read_until("OK\r\n", 50ms).empty());
    rack.simulate({{"do", "unhang"}, {"modem", 0}});
    CHECK(first.at("AT").ends_with("OK\r\n"));
}

TEST_CASE("256 modems live in one process") {
    const test::Rack rack({.modems = 256}, false);
    const SerialClient client(port(rack, 255));
    CHECK(client.at("AT+CNUM").find("+33600000255") != std::string::npos);
}

TEST_CASE("it ends on SIGTERM, SIGINT and quit, and leaves nothing behind") {
    const test::TempDir folder;
    const auto modems = folder.path() / "made/for/it";
    const auto control = folder.path() / "control";
    for (const int number : {SIGTERM, SIGINT, 0}) {
        CAPTURE(number);
        test::Process sim({.words = {test::program("smsrack-sim"), "--modems", "2", "--dir", modems,
                                     "--control", control},
                           .output = folder.path() / "out"});
        REQUIRE(test::wait_for(10s, [&] { return std::filesystem::exists(control); }));
        CHECK(std::filesystem::exists(modems / "modem1"));
        if (number == 0) {
            test::UnixStream socket(control);
            REQUIRE(socket.send("{\"do\":\"quit\"}\n"));
            CHECK(socket.receive_until("\n") == "{\"ok\":true}\n");
        } else {
            sim.signal(number);
        }
        CHECK(sim.wait(10s) == test::Ending{.code = 0});
        CHECK(std::filesystem::is_empty(modems));
        CHECK_FALSE(std::filesystem::exists(control));
    }
    CHECK(test::read_file(folder.path() / "out") ==
          fmt::format("ready: 2 modems in {0}\nready: 2 modems in {0}\nready: 2 modems in {0}\n",
                      modems.string()));
}

TEST_CASE("wrong options and places it can't use are said, with the documented exit codes") {
    const test::TempDir folder;
    const std::string sim = test::program("smsrack-sim");
    const std::string dir = folder.path() / "modems";
    std::filesystem::create_directories(folder.path() / "taken/modem0");
    struct Case {
        std::vector<std::string> words;
        int code;
    };
    for (const Case& c : {
             Case{{sim}, 64},
             Case{{sim, "--dir", dir, "--modems", "0"}, 64},
             Case{{sim, "--dir", dir, "--modems", "257"}, 64},
             Case{{sim, "--dir", dir, "--service-dist", "normal"}, 64},
             Case{{sim, "--dir", dir, "--report-fail", "2"}, 64},
             Case{{sim, "--dir", dir, "--explode"}, 64},
             Case{{sim, "--help"}, 0},
             Case{{sim, "--dir", "/proc/nowhere"}, 1},
             Case{{sim, "--dir", folder.path() / "taken"}, 1},
             Case{{sim, "--dir", dir, "--log", "/proc/nowhere/log"}, 1},
             Case{{sim, "--dir", dir, "--control", std::string(200, 'x')}, 1},
         }) {
        const auto told = test::run({.words = c.words});
        CAPTURE(told.output);
        CHECK(told.ending == test::Ending{.code = c.code});
        CHECK_FALSE(told.output.empty());
    }
}
