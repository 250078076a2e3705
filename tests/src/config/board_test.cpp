#include "src/config/board.hpp"

#include "tests/support/read_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string faults_of(const std::string& text) {
    const auto board = config::load_board(text, "b.toml");
    return board ? "" : board.error().text();
}

}  // namespace

TEST_CASE("load_board: all that a board has") {
    const auto board = config::load_board(R"(name = "box"
about = "a box"
[leds]
ready = "green:status"
fault = "red:status"
[[slot]]
name = "s1"
port = "/dev/serial/by-path/one"
power = { chip = "gpiochip0", line = 8, active_low = true, off_ms = 500 }
[[slot]]
name = "s2"
port = "/dev/serial/by-path/two"
)",
                                          "b.toml");
    REQUIRE(board);
    CHECK(board->name == "box");
    CHECK(board->about == "a box");
    CHECK(board->leds.ready == "green:status");
    CHECK(board->leds.fault == "red:status");
    REQUIRE(board->slots.size() == 2);
    CHECK(board->slots[0].name == "s1");
    CHECK(board->slots[0].port == "/dev/serial/by-path/one");
    REQUIRE(board->slots[0].power);
    CHECK(board->slots[0].power->chip == "gpiochip0");
    CHECK(board->slots[0].power->line == 8);
    CHECK(board->slots[0].power->active_low);
    CHECK(board->slots[0].power->off == 500ms);
    CHECK_FALSE(board->slots[1].power);
}

TEST_CASE("load_board: a name is enough") {
    const auto board = config::load_board("name = \"generic\"\n", "b.toml");
    REQUIRE(board);
    CHECK(board->slots.empty());
    CHECK(board->leds.ready.empty());
}

TEST_CASE("load_board: every fault is reported, with file, line and key") {
    struct Row {
        const char* text;
        const char* faults;
    };
    for (
        const Row& row : {
            Row{"", "b.toml:1: name: is required\n"},
            Row{"name = \"b\"\nleds = 1\n",
                "b.toml:2: leds: must be a table [leds], not a whole number\n"},
            Row{"name = \"b\"\n[led]\n", "b.toml:2: led: unknown key; did you mean \"leds\"?\n"},
            Row{"name = \"b\"\n[leds]\nready = \"../x\"\n",
                "b.toml:3: leds.ready: must be the name of a folder below /sys/class/leds\n"},
            Row{"name = \"b\"\n[leds]\nready = \"..\"\n",
                "b.toml:3: leds.ready: must be the name of a folder below /sys/class/leds\n"},
            Row{"name = \"b\"\n[leds]\nready = \"x\"\nfault = \"x\"\n",
                "b.toml:2: leds.fault: must not be the same LED as \"ready\"\n"},
            Row{"name = \"b\"\nslot = 1\n",
                "b.toml:2: slot: must be tables [[slot]], not a whole number\n"},
            Row{"name = \"b\"\n[[slot]]\nname = \"s\"\n", "b.toml:2: slot.port: is required\n"},
            Row{"name = \"b\"\n[[slot]]\nname = \"s\"\nport = \"/a\"\n[[slot]]\nname = \"s\"\nport "
                "= \"/a\"\n",
                "b.toml:5: slot.name: \"s\" is there twice\nb.toml:5: slot.port: \"/a\" is there "
                "twice\n"},
            Row{"name = \"b\"\n[[slot]]\nname = \"s\"\nport = \"/a\"\npower = { line = 8, gpio = 1 "
                "}\n",
                "b.toml:5: slot.power.chip: is required\nb.toml:5: slot.power.gpio: unknown "
                "key\n"},
        }) {
        CAPTURE(row.text);
        CHECK(faults_of(row.text) == row.faults);
    }
    CHECK(faults_of("name = \n").starts_with("b.toml:1: "));
    CHECK(faults_of("name = \"b\"\n[[slot]]\nname = \"s\"\nport = \"ttyUSB0\"\n")
              .starts_with("b.toml:4: slot.port: must "));
}

TEST_CASE("hw/boards: each file is a board of its name") {
    std::size_t boards = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SMSRACK_SOURCE_DIR "/hw/boards")) {
        CAPTURE(entry.path().string());
        const auto board = config::load_board(test::read_file(entry.path()), entry.path().string());
        if (!board) {
            FAIL_CHECK(board.error().text());
            continue;
        }
        CHECK(board->name == entry.path().stem());
        CHECK_FALSE(board->about.empty());
        ++boards;
    }
    CHECK(boards >= 3);
    CHECK(std::filesystem::exists(SMSRACK_SOURCE_DIR "/hw/boards/generic.toml"));
}
