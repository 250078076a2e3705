#include "tools/smsrack/doctor/doctor_box.hpp"
#include "tools/smsrack/doctor/doctor_gate.hpp"
#include "tools/smsrack/doctor/doctor_line.hpp"
#include "tools/smsrack/doctor/doctor_rights.hpp"
#include "tools/smsrack/doctor/doctor_unit.hpp"
#include "tools/smsrack/doctor/port_look.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::cli;
using namespace std::chrono_literals;

namespace {

/// A modem that answers and is registered.
PortLook good_look() {
    return {.path = "/dev/ttyUSB0",
            .answers = true,
            .baud = 115'200,
            .imei = "332395011000018",
            .iccid = "8933000000000000000",
            .sim = "READY",
            .registration = 1,
            .signal_dbm = -79};
}

}  // namespace

TEST_CASE("bauds_to_try: the configured rates first, then each usual one once") {
    using Bauds = std::vector<std::uint32_t>;
    CHECK(bauds_to_try(115'200, 0) == Bauds{115'200, 9'600, 19'200, 38'400, 57'600});
    CHECK(bauds_to_try(9'600, 0) == Bauds{9'600, 115'200, 19'200, 38'400, 57'600});
    CHECK(bauds_to_try(1'200, 0) == Bauds{1'200, 115'200, 9'600, 19'200, 38'400, 57'600});
    CHECK(bauds_to_try(115'200, 230'400) == Bauds{115'200, 230'400, 9'600, 19'200, 38'400, 57'600});
    CHECK(bauds_to_try(9'600, 115'200) == Bauds{9'600, 115'200, 19'200, 38'400, 57'600});
}

TEST_CASE("judge_look: each trouble has its own word, and advice") {
    struct Case {
        const char* problem;
        const char* words;
        void (*spoil)(PortLook&);
    };
    const config::ModemSettings modem{.name = "m3"};
    for (const Case& one : {
             Case{"port_busy", "minicom (pid 7)",
                  [](PortLook& look) {
                      look.closed = Error{.code = Errc::busy};
                      look.holder = "minicom (pid 7)";
                  }},
             Case{"no_rights", "belongs to",
                  [](PortLook& look) { look.closed = Error{.code = Errc::not_allowed}; }},
             Case{"port_missing", "/dev/ttyUSB0",
                  [](PortLook& look) { look.closed = Error{.code = Errc::no_device}; }},
             Case{"port_settings", "baud",
                  [](PortLook& look) {
                      look.closed = Error{.code = Errc::bad_config, .context = "refuses its baud"};
                  }},
             Case{"no_answer", "nothing answers", [](PortLook& look) { look.answers = false; }},
             Case{"no_cts", "CTS",
                  [](PortLook& look) {
                      look.answers = false;
                      look.has_lines = true;
                  }},
             Case{"wrong_baud", "9600", [](PortLook& look) { look.baud = 9'600; }},
             Case{"sim_pin", "none is configured", [](PortLook& look) { look.sim = "SIM PIN"; }},
             Case{"sim_puk", "locked", [](PortLook& look) { look.sim = "SIM PUK"; }},
             Case{"sim_absent", "no SIM", [](PortLook& look) { look.sim = "+CME ERROR: 10"; }},
             Case{"sim_failure", "+CME ERROR: 13",
                  [](PortLook& look) { look.sim = "+CME ERROR: 13"; }},
             Case{"sim_failure", "does not answer", [](PortLook& look) { look.sim.clear(); }},
             Case{"denied", "refuses", [](PortLook& look) { look.registration = 3; }},
             Case{"not_registered", "-79 dBm", [](PortLook& look) { look.registration = 2; }},
         }) {
        CAPTURE(one.problem);
        PortLook look = good_look();
        one.spoil(look);
        const Finding finding = judge_look(modem, look, {"it belongs to root", "`sudo usermod`"});
        CHECK(finding.subject == "m3");
        CHECK(finding.problem == one.problem);
        CHECK(finding.text.contains(one.words));
        CHECK(!finding.advice.empty());
    }
    CHECK(judge_look(modem, good_look(), {}).well());
    PortLook roaming = good_look();
    roaming.registration = 5;
    CHECK(judge_look(modem, roaming, {}).problem == "roaming");  // the service does not send there
    config::ModemSettings may_roam = modem;
    may_roam.line.roaming = true;
    CHECK(judge_look(may_roam, roaming, {}).well());
}

TEST_CASE("judge_look: a wrong PIN is distinguished from one that is only wanted") {
    struct Row {
        const char* so;
        bool configured;
        std::optional<int> attempts;
        std::optional<WallTime> refused_at;
        const char* words;
        const char* advice;
    };
    constexpr WallTime then{1'800'000'000'000ms};
    for (const Row& row : {
             Row{"the service's", true, 2, then,
                 "refused the PIN that the service entered at 2027-01-15T08:00:00.000Z; 2 "
                 "attempts are left",
                 "correct `pin`"},
             Row{"the service's, and the modem tells no attempts",
                 true,
                 {},
                 then,
                 "refused the PIN",
                 "correct `pin`"},
             Row{"somebody else's",
                 true,
                 1,
                 {},
                 "a wrong one was entered before; 1 attempts",
                 "compare"},
             Row{"none", true, 3, {}, "wants its PIN", "enters the configured one once"},
             Row{"none is configured any more", false, 2, then, "none is configured; 2 attempts",
                 "set `pin"},
         }) {
        CAPTURE(row.so);
        PortLook look = good_look();
        look.sim = "SIM PIN";
        look.pin_attempts = row.attempts;
        config::ModemSettings modem{.name = "m3"};
        if (row.configured) {
            modem.pin.emplace();
        }
        const Finding finding = judge_look(modem, look, {}, row.refused_at);
        CAPTURE(finding.text);
        CHECK(finding.problem == "sim_pin");
        CHECK(finding.text.contains(row.words));
        CHECK(finding.advice.contains(row.advice));
    }
}

TEST_CASE("judge_look: ModemManager on the port is reported, with how to keep it off") {
    PortLook look{.path = "/dev/ttyUSB0",
                  .closed = Error{.code = Errc::busy},
                  .holder = "ModemManager (pid 7)"};
    CHECK(judge_look({.name = "m0"}, look, {}).advice.contains("systemctl disable"));
}

TEST_CASE("judge_served: the service's own words, with advice where it has none") {
    const auto judged = [](const char* json) {
        return judge_served(wire::parse_json(json).value());
    };
    CHECK(judged(R"({"name":"m0","link":"active","port":"/dev/x","operator":"F","signal_dbm":-79})")
              .well());
    const Finding lost =
        judged(R"({"name":"m0","link":"pending","reason":"no_answer","detail":"does not answer"})");
    CHECK(lost.problem == "no_answer");
    CHECK(lost.text == "does not answer");
    CHECK(lost.advice.contains("baud"));
    const Finding unknown = judged(R"({"name":"m0","link":"stop","reason":"new_word"})");
    CHECK(unknown.problem == "new_word");
    CHECK(unknown.text == "the modem is stop");
    CHECK(judged(R"({"name":"m0","link":"stop"})").problem == "not_active");
    const Finding rests =
        judged(R"({"name":"m0","link":"active","paused":{"reason":"cooling","until":"2030"}})");
    CHECK(rests.problem == "cooling");
    CHECK(rests.text.ends_with("until 2030"));
    const Finding spent = judged(
        R"({"name":"m0","link":"active","port":"/dev/x","paused":{"reason":"quota","until":"2030"}})");
    CHECK(spent.well());
    CHECK(spent.text.ends_with("its quota is spent until 2030"));
    CHECK(judged(R"({"name":"m0","link":"active","paused":null})").well());
}

TEST_CASE("judge_disk, judge_clock, judge_programs: where well ends") {
    constexpr std::uint64_t mebi = 1024 * 1024;
    CHECK(judge_disk("/var", {64 * mebi, 8192 * mebi}).well());
    CHECK(judge_disk("/var", {64 * mebi - 1, 8192 * mebi}).problem == "disk_low");
    CHECK(judge_disk("/var", {2 * mebi, 40 * mebi}).well());  // small, but not nearly full
    CHECK(judge_disk("/var", {2 * mebi - 1, 40 * mebi}).problem == "disk_low");
    CHECK(judge_disk("/var", {ports::disk_full_below - 1, 40 * mebi}).problem == "disk_full");
    const WallTime now{1'800'000'000'000ms};
    CHECK(judge_clock(now, std::nullopt).well());
    CHECK(judge_clock(now, now - 1h).well());
    CHECK(judge_clock(now, std::nullopt).well());
    CHECK(judge_clock(now, now + 2s).well());
    CHECK(judge_clock(now, now + 3s).problem == "clock_behind");
    const std::vector<std::string> running{"ModemManager (pid 7)"};
    const Findings both = judge_programs(running, {});
    CHECK(both.at(0).text.starts_with("ModemManager (pid 7) is running"));
    CHECK(both.at(1).well());
}

TEST_CASE("unit_in: the unit of the system that a process belongs to") {
    struct Case {
        const char* cgroup;
        std::optional<std::string> unit;
    };
    for (const Case& one : {
             Case{"0::/system.slice/ModemManager.service\n", "ModemManager.service"},
             Case{"0::/system.slice/system-serial\\x2dgetty.slice/serial-getty@ttyUSB0.service\n",
                  "serial-getty@ttyUSB0.service"},
             Case{"1:name=systemd:/x\n0::/system.slice/gammu-smsd.service\n", "gammu-smsd.service"},
             Case{"0::/user.slice/user-1000.slice/user@1000.service/app.slice/x.service\n",
                  std::nullopt},
             Case{"0::/user.slice/user-1000.slice/session-3.scope\n", std::nullopt},
             Case{"0::/\n", std::nullopt},
             Case{"", std::nullopt},
         }) {
        CAPTURE(one.cgroup);
        CHECK(unit_in(one.cgroup) == one.unit);
    }
}

TEST_CASE("judge_version: a service that an upgrade left running, and how to end that") {
    CHECK_FALSE(judge_version("1.2.0", "1.2.0"));
    CHECK_FALSE(judge_version("", "1.2.0"));
    const auto other = judge_version("1.1.0", "1.2.0");
    REQUIRE(other);
    CHECK(other->problem == "other_version");
    CHECK(other->text == "it runs version 1.1.0, and 1.2.0 is installed");
    CHECK(other->advice.contains("smsrack upgrade --yes /usr/bin/smsrackd"));
}

TEST_CASE("judge_gate: a gate that an upgrade left running, and how to end that") {
    CHECK_FALSE(
        judge_gate({.holder = "smsrack-gate (pid 812)", .program = "/usr/bin/smsrack-gate"}));
    const auto old = judge_gate({.holder = "smsrack-gate (pid 812)",
                                 .unit = "smsrack-gate.service",
                                 .program = "/usr/bin/smsrack-gate (deleted)"});
    REQUIRE(old);
    CHECK(old->problem == "old_gate");
    CHECK(old->text.starts_with("smsrack-gate (pid 812) runs"));
    CHECK(old->advice.contains("`sudo systemctl restart smsrack-gate.service`"));
    const auto by_hand =
        judge_gate({.holder = "smsrack-gate (pid 812)", .program = "/opt/smsrack-gate (deleted)"});
    REQUIRE(by_hand);
    CHECK(by_hand->advice.starts_with("end it, and start"));
}

TEST_CASE("judge_look: a port in use names the unit to stop, or the process") {
    PortLook look{.path = "/dev/ttyUSB0",
                  .closed = Error{.code = Errc::busy},
                  .holder = "agetty (pid 812)",
                  .holder_unit = "serial-getty@ttyUSB0.service"};
    CHECK(judge_look({.name = "m0"}, look, {})
              .advice.contains("`sudo systemctl disable --now serial-getty@ttyUSB0.service`"));
    look.holder_unit.reset();
    CHECK(judge_look({.name = "m0"}, look, {}).advice.contains("`sudo kill 812`"));
    look.holder.clear();
    CHECK(judge_look({.name = "m0"}, look, {}).advice.contains("end that program"));
}

TEST_CASE("rights of a port: the command names its group and the service's account") {
    struct Case {
        const char* what;
        PortRights rights;
        const char* advice;
    };
    const PortRights port{.path = "/dev/ttyS0",
                          .owner = "root",
                          .group = "uucp",
                          .mode = 0660,
                          .asker = "alice",
                          .account = "smsrack"};
    const auto with = [&](auto change) {
        PortRights other = port;
        change(other);
        return other;
    };
    for (const Case& one : {
             Case{"the service is not in the group", port,
                  "`sudo usermod -aG uucp smsrack && sudo systemctl restart smsrackd.service`"},
             Case{"only the asker is not", with([](auto& p) { p.account_may = true; }),
                  "`sudo smsrack doctor`"},
             Case{"no such account: started manually", with([](auto& p) { p.account.clear(); }),
                  "`sudo usermod -aG uucp alice`"},
             Case{"the group may not write", with([](auto& p) { p.mode = 0600; }),
                  "sudo chgrp dialout /dev/ttyS0"},
             Case{"the group is root's", with([](auto& p) { p.group = "root"; }),
                  "sudo chgrp dialout /dev/ttyS0"},
         }) {
        CAPTURE(one.what);
        const RightsWords words = words_of(one.rights);
        CHECK(words.advice.contains(one.advice));
        CHECK(words.text.contains("you are alice"));
    }
    CHECK(words_of({.path = "/dev/gone"}).advice.contains("smsrack slots"));
}

TEST_CASE("judge_served: a port that the service may not open has the command of its group") {
    const auto modem = wire::parse_json(
        R"({"name":"m0","link":"stop","reason":"port_not_allowed","detail":"x","port":"/dev/ttyS0"})");
    const Finding finding = judge_served(
        *modem, {"/dev/ttyS0 belongs to root:uucp", "`sudo usermod -aG uucp smsrack`"});
    CHECK(finding.problem == "port_not_allowed");
    CHECK(finding.text.contains("root:uucp"));
    CHECK(finding.advice.contains("-aG uucp smsrack"));
}

TEST_CASE("start_command: the unit where there is one, the program where there is none") {
    CHECK(start_command({.systemd = true, .there = true}, "/c")
              .contains("`sudo systemctl start smsrackd.service`"));
    CHECK(start_command({.systemd = true, .there = true}, "/c")
              .contains("`journalctl -u smsrackd.service -n 50`"));
    for (const ServiceUnit unit : {ServiceUnit{}, ServiceUnit{.systemd = true}}) {
        CHECK(start_command(unit, "/c").contains("`smsrackd --config /c`"));
    }
}
