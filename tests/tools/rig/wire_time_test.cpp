#include "tools/rig/wire_time.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("wire time: the octets of a dialogue are those that are on the wire") {
    // 40 letters to a number of 11 digits, with a relative validity: 49 octets of TPDU.
    const std::string pdu_hex(100, '0');
    const std::string dialogue =
        "AT+CMGS=49\r"
        "\r\n> " +
        pdu_hex +
        "\x1A"
        "\r\n+CMGS: 207\r\n\r\nOK\r\n";
    CHECK(rig::submit_dialogue_octets(50, 49, 207) == dialogue.size());
}

TEST_CASE("wire time: the numbers in the dialogue count with their digits") {
    const auto octets = rig::submit_dialogue_octets(50, 49, 0);
    CHECK(rig::submit_dialogue_octets(50, 49, 9) == octets);
    CHECK(rig::submit_dialogue_octets(50, 49, 10) == octets + 1);
    CHECK(rig::submit_dialogue_octets(50, 49, 255) == octets + 2);
    CHECK(rig::submit_dialogue_octets(101, 100, 0) == octets + 2 * 51 + 1);
    // 10 references have one digit, 90 two, 156 three.
    CHECK(rig::mean_submit_dialogue_octets(50, 49) ==
          doctest::Approx(static_cast<double>(octets) + (90 + 2 * 156) / 256.0));
}

TEST_CASE("wire time: a line alternates between the wire and the network") {
    // 144 octets take 12.5 ms at 115200 baud.
    CHECK(rig::wire_limit(144, 115'200, 0ms, 1) == doctest::Approx(80));
    CHECK(rig::wire_limit(144, 115'200, 0ms, 8) == doctest::Approx(640));
    CHECK(rig::wire_limit(144, 115'200, 500ms, 8) == doctest::Approx(8 / 0.5125));
    CHECK(rig::wire_limit(144, 9'600, 0ms, 8) == doctest::Approx(640.0 / 12));
}
