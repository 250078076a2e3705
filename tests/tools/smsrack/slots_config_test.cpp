#include "tools/smsrack/rack/slots_config.hpp"

#include "src/config/settings.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/tools/smsrack/program_run.hpp"
#include "tools/smsrack/default_config.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::cli;
using namespace std::chrono_literals;

namespace {

Slot modem_at(const std::string& port, const std::string& tty) {
    return {.port = port,
            .tty = tty,
            .look = {.answers = true, .baud = 115'200, .imei = "332395011000018", .iccid = "89"}};
}

/// s1 and s2, which are links to ttyUSB1 and ttyUSB0; s3, where nothing is.
config::Board board() {
    return {.name = "box",
            .slots = {{.name = "s1",
                       .port = "/by-path/1",
                       .power =
                           config::PowerSettings{
                               .chip = "gpiochip0", .line = 8, .active_low = true, .off = 2'000ms}},
                      {.name = "s2", .port = "/by-path/2"},
                      {.name = "s3", .port = "/by-path/3"}}};
}

std::string tty_of(const std::string& port) {
    return port == "/by-path/1" ? "/dev/ttyUSB1" : port == "/by-path/2" ? "/dev/ttyUSB0" : "";
}

}  // namespace

TEST_CASE("placed: modems on ports of the board have its names and power lines, in its order") {
    const std::vector<Slot> found{modem_at("/dev/ttyUSB0", "/dev/ttyUSB0"),
                                  modem_at("/by-path/1", "/dev/ttyUSB1"),
                                  modem_at("/dev/ttyS4", "/dev/ttyS4"),
                                  {.port = "/dev/ttyS0", .tty = "/dev/ttyS0"}};
    const auto slots = placed(found, board(), tty_of);
    REQUIRE(slots.size() == 3);
    CHECK(slots[0].name == "s1");
    CHECK(slots[0].power->line == 8);
    CHECK(slots[1].name == "s2");
    CHECK(slots[1].found.port == "/by-path/2");  // the name that stays with the socket
    CHECK_FALSE(slots[1].power);
    CHECK(slots[2].name == "m0");
    CHECK(slots[2].found.port == "/dev/ttyS4");
}

TEST_CASE("placed: a name of the board is never given to another modem") {
    config::Board taken{.name = "box", .slots = {{.name = "m0", .port = "/by-path/9"}}};
    const std::vector<Slot> found{modem_at("/dev/ttyS4", "/dev/ttyS4"),
                                  modem_at("/dev/ttyS5", "/dev/ttyS5")};
    const auto slots = placed(found, taken, tty_of);
    REQUIRE(slots.size() == 2);
    CHECK(slots[0].name == "m1");
    CHECK(slots[1].name == "m2");
}

TEST_CASE("entries_text: IMEI and ICCID for a person; the rate where it is not the usual one") {
    Slot slow = modem_at("/dev/serial/by-path/b", "/dev/ttyUSB0");
    slow.look.baud = 9'600;
    slow.look.iccid.clear();
    const std::vector<PlacedSlot> slots{
        {.found = modem_at("/dev/serial/by-path/a", "/dev/ttyUSB1"), .name = "m0"},
        {.found = slow, .name = "m1"}};
    CHECK(entries_text(slots) ==
          "\n[[modem]]  # IMEI 332395011000018, ICCID 89\nname = \"m0\"\n"
          "port = \"/dev/serial/by-path/a\"\n"
          "\n[[modem]]  # IMEI 332395011000018, ICCID unknown\nname = \"m1\"\n"
          "port = \"/dev/serial/by-path/b\"\nbaud = 9600\n");
}

TEST_CASE("whole_config: the shipped configuration and the modems, as the service reads it") {
    const std::vector<Slot> found{modem_at("/by-path/1", "/dev/ttyUSB1"),
                                  modem_at("/dev/odd\"name", "/dev/ttyS4")};
    const std::string text = whole_config(placed(found, board(), tty_of), board());
    CHECK(text.starts_with(default_config_text()));
    CHECK(text.contains("# No modem answered in slot \"s3\"."));
    const auto settings = config::load_settings(text, "x.toml");
    REQUIRE(settings);
    REQUIRE(settings->modems.size() == 2);
    CHECK(settings->modems[0].name == "s1");
    CHECK(settings->modems[0].port == "/by-path/1");
    REQUIRE(settings->modems[0].power);
    CHECK(settings->modems[0].power->chip == "gpiochip0");
    CHECK(settings->modems[0].power->line == 8);
    CHECK(settings->modems[0].power->active_low);
    CHECK(settings->modems[0].power->off == 2'000ms);
    CHECK(settings->modems[1].port == "/dev/odd\"name");
    CHECK(default_config_text() ==
          test::read_file(SMSRACK_SOURCE_DIR "/firmware-host/packaging/smsrack.toml"));
}

TEST_CASE("smsrack slots --write: a whole configuration, once; what is there is left as it is") {
    const test::TempDir folder;
    const std::string ports = (folder.path() / "ports").string();
    const std::string file = (folder.path() / "smsrack.toml").string();
    std::filesystem::create_directory(ports);
    const std::string words = "slots --dir " + ports + " --write " + file;
    const test::ProgramRun first = test::run_smsrack(words);
    CHECK(first.code == 0);
    CHECK(first.out.ends_with(file + ": written, 0 modems\n"));
    CHECK(test::run_smsrack("config check " + file).code == 0);
    CHECK(test::read_file(file).contains("# No modem answered at all"));

    std::ofstream(file) << "mine\n";
    const test::ProgramRun again = test::run_smsrack(words);
    CHECK(again.code == 1);
    CHECK(again.err.contains(file + ": already exists"));
    CHECK(test::read_file(file) == "mine\n");
}

TEST_CASE("smsrack slots --write: a configuration that the service would refuse is not put there") {
    const test::TempDir folder;
    const std::string ports = (folder.path() / "ports").string();
    const std::string board = (folder.path() / "box.toml").string();
    const std::string file = (folder.path() / "no" / "smsrack.toml").string();
    std::filesystem::create_directory(ports);
    CHECK(test::run_smsrack("slots --dir " + ports + " --write " + file).code == 1);
    std::ofstream(board) << "name = \"box\"\n[[slot]]\nname = \"s1\"\nport = \"ttyUSB0\"\n";
    const test::ProgramRun run =
        test::run_smsrack("slots --dir " + ports + " --board " + board + " --write " + file + "2");
    CHECK(run.code == 65);
    CHECK(run.err.contains("box.toml:4: slot.port: must "));
    CHECK_FALSE(std::filesystem::exists(file + "2"));
}
