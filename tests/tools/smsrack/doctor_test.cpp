#include "tools/smsrack/doctor_box.hpp"
#include "tools/smsrack/doctor_line.hpp"
#include "tools/smsrack/port_look.hpp"

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

TEST_CASE("bauds_to_try: the configured rate first, then each usual one once") {
    using Bauds = std::vector<std::uint32_t>;
    CHECK(bauds_to_try(115'200) == Bauds{115'200, 9'600, 19'200, 38'400, 57'600});
    CHECK(bauds_to_try(9'600) == Bauds{9'600, 115'200, 19'200, 38'400, 57'600});
    CHECK(bauds_to_try(1'200) == Bauds{1'200, 115'200, 9'600, 19'200, 38'400, 57'600});
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
        const Finding finding = judge_look(modem, look, "it belongs to root");
        CHECK(finding.subject == "m3");
        CHECK(finding.problem == one.problem);
        CHECK(finding.text.contains(one.words));
        CHECK(!finding.advice.empty());
    }
    CHECK(judge_look(modem, good_look(), "").well());
    PortLook roaming = good_look();
    roaming.registration = 5;
    CHECK(judge_look(modem, roaming, "").problem == "roaming");  // the service does not send there
    config::ModemSettings may_roam = modem;
    may_roam.line.roaming = true;
    CHECK(judge_look(may_roam, roaming, "").well());
}

TEST_CASE("judge_look: a wrong PIN is told from one that is only wanted") {
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
                 "did not take the PIN that the service entered at 2027-01-15T08:00:00.000Z; 2 "
                 "attempts are left",
                 "correct `pin`"},
             Row{"the service's, and the modem tells no attempts",
                 true,
                 {},
                 then,
                 "did not take",
                 "correct `pin`"},
             Row{"somebody else's",
                 true,
                 1,
                 {},
                 "somebody entered a wrong one; 1 attempts",
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
        const Finding finding = judge_look(modem, look, "", row.refused_at);
        CAPTURE(finding.text);
        CHECK(finding.problem == "sim_pin");
        CHECK(finding.text.contains(row.words));
        CHECK(finding.advice.contains(row.advice));
    }
}

TEST_CASE("judge_look: ModemManager on the port is told how to leave it") {
    PortLook look{.path = "/dev/ttyUSB0",
                  .closed = Error{.code = Errc::busy},
                  .holder = "ModemManager (pid 7)"};
    CHECK(judge_look({.name = "m0"}, look, "").advice.contains("systemctl disable"));
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
    CHECK(unknown.text == "the line is stop");
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
    CHECK(judge_disk("/var", 64 * mebi, 8192 * mebi).well());
    CHECK(judge_disk("/var", 64 * mebi - 1, 8192 * mebi).problem == "disk_full");
    const WallTime now{1'800'000'000'000ms};
    CHECK(judge_clock(now, now - 1h).well());
    CHECK(judge_clock(now, std::nullopt).well());
    CHECK(judge_clock(now, now + 2s).well());
    CHECK(judge_clock(now, now + 3s).problem == "clock_behind");
    const std::vector<std::string> running{"ModemManager (pid 7)"};
    const Findings both = judge_programs(running, {});
    CHECK(both.at(0).text.starts_with("ModemManager (pid 7) is running"));
    CHECK(both.at(1).well());
}
