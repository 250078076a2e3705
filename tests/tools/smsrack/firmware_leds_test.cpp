#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/firmware_rig.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/firmware/led.hpp"

using namespace smsrack;
using namespace smsrack::test;

namespace {

void make_led(const FirmwareRig& rig, const std::string& name) {
    const std::string folder = "sys/class/leds/" + name + "/";
    rig.write(folder + "trigger", "[none] timer");
    rig.write(folder + "brightness", "0");
    rig.write(folder + "max_brightness", "255\n");
    rig.write(folder + "delay_on", "");
    rig.write(folder + "delay_off", "");
}

/// "none 255", "timer 500/500".
std::string shows(const FirmwareRig& rig, const std::string& name) {
    const std::string folder = "sys/class/leds/" + name + "/";
    const std::string trigger = rig.read(folder + "trigger");
    return trigger == "timer"
               ? "timer " + rig.read(folder + "delay_on") + "/" + rig.read(folder + "delay_off")
               : trigger + " " + rig.read(folder + "brightness");
}

FirmwareRig::Ended leds(FirmwareRig& rig) {
    return rig.run(
        [](const auto& box, auto& context) { return cli::firmware_leds({}, box, context); });
}

void make_board(const FirmwareRig& rig) {
    rig.write("etc/smsrack/board", "box\n");
    rig.write("usr/share/smsrack/boards/box.toml",
              "name = \"box\"\n[leds]\nready = \"green:ready\"\nfault = \"red:fault\"\n");
    make_led(rig, "green:ready");
    make_led(rig, "red:fault");
}

FakeService::Answer modems(std::string list) {
    return [list = std::move(list)](const FakeRequest& request) {
        return answer_json("200 OK", request.line == "GET /healthz"
                                         ? R"({"status":"ok"})"
                                         : R"({"modems":[)" + list + "]}");
    };
}

}  // namespace

TEST_CASE("firmware leds: steady where the service serves, blinking where it does not answer") {
    FirmwareRig rig;
    make_board(rig);
    std::string seen;
    rig.on_wait = [&] {
        seen = shows(rig, "green:ready");
        return true;
    };
    CHECK(leds(rig).code == 0);
    CHECK(seen == "timer 500/500");
    const FakeService service(modems(R"({"name":"m0","link":"active","manual":"open"})"));
    rig.socket = service.path();
    CHECK(leds(rig).code == 0);
    CHECK(seen == "none 255");
    CHECK(shows(rig, "green:ready") == "none 0");  // ended: it says nothing
}

TEST_CASE("firmware leds: a line in trouble is shown; one that is held or on its way is none") {
    struct Row {
        const char* modem;
        const char* fault;
    };
    for (const Row& row :
         {Row{R"({"name":"m0","link":"stop","manual":"open","parked":false})", "none 255"},
          Row{R"({"name":"m0","link":"stop","manual":"blocked","parked":false})", "none 0"},
          Row{R"({"name":"m0","link":"stop","manual":"open","parked":true})", "none 0"},
          Row{R"({"name":"m0","link":"pending","manual":"open","parked":false})", "none 0"},
          Row{R"({"name":"m0","link":"active","manual":"open","parked":false})", "none 0"}}) {
        CAPTURE(row.modem);
        FirmwareRig rig;
        make_board(rig);
        const FakeService service(modems(row.modem));
        rig.socket = service.path();
        std::string seen;
        rig.on_wait = [&] {
            seen = shows(rig, "red:fault");
            return true;
        };
        CHECK(leds(rig).code == 0);
        CHECK(seen == row.fault);
    }
}

TEST_CASE("firmware leds: follows the service, and writes only what changes") {
    FirmwareRig rig;
    make_board(rig);
    int turn = 0;
    rig.on_wait = [&] {
        rig.write("sys/class/leds/green:ready/trigger", "untouched");
        return ++turn == 3;
    };
    CHECK(leds(rig).code == 0);
    CHECK(turn == 3);
    CHECK(shows(rig, "green:ready") == "none 0");  // written again at the end alone
}

TEST_CASE("firmware leds: one whose driver comes late is missed once, and shows when it is there") {
    FirmwareRig rig;
    make_board(rig);
    std::filesystem::remove_all(rig.root() / "sys/class/leds/green:ready");
    std::string seen;
    int turn = 0;
    rig.on_wait = [&] {
        if (++turn == 2) {
            make_led(rig, "green:ready");
        }
        if (turn == 3) {
            seen = shows(rig, "green:ready");
        }
        return turn == 3;
    };
    const auto ended = leds(rig);
    CHECK(ended.code == 0);
    CHECK(seen == "timer 500/500");
    CHECK(ended.err.contains("green:ready: this machine has no such LED yet"));
    CHECK(ended.err.find("green:ready") == ended.err.rfind("green:ready"));
}

TEST_CASE("firmware leds: a board without LEDs has nothing to do") {
    FirmwareRig rig;
    rig.write("usr/share/smsrack/boards/generic.toml", "name = \"generic\"\n");
    const auto none = leds(rig);
    CHECK(none.code == 0);
    CHECK(none.err == "the board generic has no LEDs for this; nothing to do\n");
}

TEST_CASE("firmware leds: a bad name of a board, and a bad description, are reported") {
    FirmwareRig rig;
    for (const char* name : {"../x", "two words", ""}) {
        CAPTURE(name);
        rig.write("etc/smsrack/board", name);
        CHECK(leds(rig).code == 65);
    }
    rig.write("etc/smsrack/board", "box");
    CHECK(leds(rig).code == 1);
    rig.write("usr/share/smsrack/boards/box.toml", "name = \"box\"\nled = 1\n");
    const auto bad = leds(rig);
    CHECK(bad.code == 65);
    CHECK(bad.err.contains("box.toml:2: led: unknown key; did you mean \"leds\"?"));
}
