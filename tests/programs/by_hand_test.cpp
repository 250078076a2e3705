// An administrator's orders to a modem, with the real programs.
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {
namespace {

Finished smsrack(const Rack& rack, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {program("smsrack"), "--socket", rack.socket()});
    return run({.words = std::move(arguments)});
}

}  // namespace

TEST_CASE("an operator's AT command: its answer; what is refused says why") {
    const Rack rack({.modems = 1});
    const auto signal = smsrack(rack, {"at", "m0", "AT+CSQ"});
    CHECK(signal.ending.code == 0);
    CHECK(signal.output.starts_with("+CSQ: "));
    CHECK(smsrack(rack, {"--json", "at", "m0", "AT"}).output ==
          "{\"final\":\"OK\",\"lines\":[]}\n");
    const auto refused = smsrack(rack, {"at", "m0", "AT+CMGS=20"});
    CHECK(refused.ending.code == 65);
    CHECK(refused.output.contains("smsrack send"));
    const auto error = smsrack(rack, {"at", "m0", "AT+CMGR=300"});
    CHECK(error.ending.code == 1);
    CHECK(error.output.contains("+CMS ERROR: 321"));
    CHECK(smsrack(rack, {"at", "m9", "AT"}).output.contains("no modem is called m9; there is m0"));
}

TEST_CASE("an operator's USSD code: the network's answer as text") {
    const Rack rack({.modems = 1});
    CHECK(smsrack(rack, {"ussd", "m0", "*100#"}).output == "Credit 12.50 EUR\n");
    CHECK(smsrack(rack, {"ussd", "m0", "*101#"}).output == "Баланс 12\n");
    const auto menu = smsrack(rack, {"--json", "ussd", "m0", "*102#"});
    CHECK(menu.output ==
          "{\"final\":\"OK\",\"lines\":[\"1 Credit\",\"2 "
          "Options\"],\"session\":\"asks_for_more\"}\n");
    CHECK(smsrack(rack, {"ussd", "m0", "credit"}).ending.code == 65);
}

TEST_CASE(
    "what can lock or divert a SIM: only forced, with the attempts left, and no PIN in argv") {
    const Rack rack({.modems = 1, .config = "log_level = \"trace\"\nrecord_texts = true\n"});
    const auto piped = [&](const std::string& text, std::vector<std::string> words) {
        const auto input = rack.folder() / "input";
        std::ofstream(input) << text << "\n";
        Command command{.words = {program("smsrack"), "--socket", rack.socket()},
                        .output = rack.folder() / "output",
                        .input = input};
        command.words.insert(command.words.end(), words.begin(), words.end());
        std::filesystem::remove(command.output);
        const auto ending = Process(command).wait(std::chrono::seconds(60));
        REQUIRE(ending);
        return Finished{*ending, read_file(command.output)};
    };
    const std::string lock = "AT+CLCK=\"SC\",1,\"4711\"";
    for (const auto& words : {std::vector<std::string>{"at", "m0", lock, "--force"},
                              {"at", "m0", "at+csq;+cpin=4711", "--force"},
                              {"ussd", "m0", "**04*4711*1234*1234#", "--force"}}) {
        const auto refused = smsrack(rack, words);
        CHECK(refused.ending.code == 64);
        CHECK(refused.output.contains("standard input"));
    }
    for (const auto& [text, call] : {std::pair{lock, "at"},
                                     {"AT + cpin = 4711", "at"},
                                     {"**04*4711*1234*1234#", "ussd"},
                                     {"**21*0612345678#", "ussd"}}) {
        CAPTURE(text);
        const auto refused = piped(text, {call, "m0", "-"});
        CHECK(refused.ending.code == 77);
        CHECK(refused.output.contains("--force"));
    }
    CHECK(smsrack(rack, {"at", "m0", "AT+CSCA=\"+33609001390\""}).ending.code == 77);
    CHECK(smsrack(rack, {"at", "m0", "AT+CSCA?"}).ending.code == 0);

    const auto forced = piped(lock, {"at", "m0", "-", "--force"});
    CAPTURE(forced.output);
    CHECK(forced.output.contains("attempts left: PIN 3, PIN2 3, PUK 10, PUK2 10"));
    const auto centre = smsrack(rack, {"at", "m0", "AT+CSCA=\"+33609001390\"", "--force"});
    CHECK(centre.ending.code == 0);
    CHECK(centre.output.contains("attempts left: PIN 3"));
    (void)piped("**04*4711*1234*1234#", {"ussd", "m0", "-", "--force"});
    CHECK_FALSE(rack.service_log().contains("4711"));
    CHECK_FALSE(rack.service_log().contains("34373131"));  // the same in hexadecimal
}

TEST_CASE(
    "an operator's commands lose and repeat no message: a setting is undone, a modem restarted") {
    Rack rack({.modems = 2});
    std::vector<std::string> ids;
    for (int i = 0; i < 40; ++i) {
        ids.push_back(
            rack.submit({{"to", "+336000002" + std::to_string(10 + i)}, {"text", "manual"}}));
        if (i == 10) {
            CHECK(smsrack(rack, {"at", "m0", "AT+CNMI=0,0,0,0,0"}).ending.code == 0);
        }
        if (i == 20) {
            CHECK(smsrack(rack, {"modem", "reset", "m1"}).ending.code == 0);
        }
        CHECK(smsrack(rack, {"at", "m0", "AT+CSQ"}).ending.code == 0);
    }
    for (const std::string& id : ids) {  // a report may go lost with the memory of the modem
        CHECK(wait_for(std::chrono::seconds(20), [&] {
            const auto state = rack.message(id).at("state");
            return state == "sent" || state == "delivered";
        }));
    }
    CHECK(rack.submits().size() == ids.size());
    rack.wait_active();
    for (int i = 0; i < 6; ++i) {  // three for each line
        const auto id = rack.submit({{"to", "+3360000030" + std::to_string(i)}, {"text", "after"}});
        CHECK(rack.reaches(id, "delivered"));
    }
    CHECK(rack.service_log().contains("hand_order"));
}

}  // namespace smsrack::test
