// `smsrack doctor` and `smsrack slots` before real programs: each trouble of an installation by its name.
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <pwd.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

constexpr auto asked_within = 60s;  // a silent port takes some ten seconds; the machine may be busy

struct Doctor {
    int code = -1;
    wire::Json findings = wire::Json::array();

    /// What it says of `subject`; null: nothing.
    [[nodiscard]] wire::Json of(std::string_view subject) const {
        const auto found = std::ranges::find_if(
            findings, [&](const wire::Json& one) { return one.at("subject") == subject; });
        return found == findings.end() ? wire::Json() : *found;
    }
};

Doctor ask_doctor(const Rack& rack, const std::filesystem::path& config,
                  std::optional<uid_t> user = {}) {
    const Finished finished = run({.words = {rack.program("smsrack"), "--json", "--socket",
                                             rack.socket(), "doctor", "--config", config},
                                   .user = user},
                                  asked_within);
    const auto answer = wire::parse_json(finished.output);
    REQUIRE_MESSAGE(answer, finished.output);
    CHECK(finished.ending.code == (answer->at("ok") == true ? 0 : 1));
    return {.code = finished.ending.code, .findings = answer->at("findings")};
}

/// What it says of the first modem, as soon as that is `problem` (a modem takes its time to start);
/// it has advice.
void check_names(const Rack& rack, std::string_view problem, std::string_view words) {
    wire::Json seen;
    CHECK(wait_for(asked_within, [&] {
        seen = ask_doctor(rack, rack.config_file()).of("m0");
        return seen.is_object() && seen.at("problem") == problem &&
               seen.at("text").get<std::string>().contains(words);
    }));
    CAPTURE(seen.dump());
    REQUIRE(seen.is_object());
    CHECK(seen.at("text").get<std::string>().contains(words));
    CHECK(!seen.at("advice").get<std::string>().empty());
}

std::string port_of(const Rack& rack) {
    return (rack.folder() / "modems" / "modem0").string();
}

/// A program, called `name` in the end, that does nothing but hold the port as long as the object
/// exists.
std::unique_ptr<Process> hold(const std::string& name, const std::string& script,
                              const std::string& port) {
    auto process = std::make_unique<Process>(
        Command{.words = {"/bin/sh", "-c", "exec 3<>" + port + "; " + script}});
    const auto link = std::filesystem::canonical(port);
    const bool held = wait_for(20s, [&] {
        const auto proc = std::filesystem::path("/proc") / std::to_string(process->pid());
        if (read_file(proc / "comm") != name + "\n") {
            return false;
        }
        std::error_code ignored;
        for (const auto& fd : std::filesystem::directory_iterator(proc / "fd", ignored)) {
            std::error_code gone;
            if (std::filesystem::read_symlink(fd.path(), gone) == link) {
                return true;
            }
        }
        return false;
    });
    REQUIRE(held);
    return process;
}

}  // namespace

TEST_CASE("doctor: a service with all its lines active is well") {
    const Rack rack({.modems = 2});
    const Doctor doctor = ask_doctor(rack, rack.config_file());
    CAPTURE(doctor.findings.dump());
    for (const std::string subject : {"config", "service", "disk", "rights", "clock", "m0", "m1"}) {
        CAPTURE(subject);
        const auto finding = doctor.of(subject);
        REQUIRE(finding.is_object());
        CHECK(finding.at("ok") == true);
    }
}

TEST_CASE("doctor: without a service the ports are asked; a modem that is well is said to be so") {
    const Rack rack({.modems = 1}, false);
    REQUIRE(wait_for(asked_within, [&] {
        return ask_doctor(rack, rack.config_file()).of("m0").at("ok") == true;
    }));
    const Doctor doctor = ask_doctor(rack, rack.config_file());
    CHECK(doctor.code == 1);
    CHECK(doctor.of("service").at("problem") == "service_unreachable");
    const auto words = run({.words = {program("smsrack"), "--socket", rack.socket(), "doctor",
                                      "--config", rack.config_file()}},
                           asked_within);
    CHECK(words.output.contains("BAD  service"));
    CHECK(words.output.contains("ok   m0"));
}

TEST_CASE("doctor: a port in use, and by whom") {
    const Rack rack({.modems = 1}, false);
    const std::string port = port_of(rack);
    SUBCASE("by a program that merely opened it") {
        const auto holder = hold("sleep", "exec sleep 300", port);
        check_names(rack, "port_busy", "sleep (pid " + std::to_string(holder->pid()));
    }
    SUBCASE("by one that locked it") {
        const auto holder = hold("sleep", "flock 3; exec sleep 300", port);
        check_names(rack, "port_busy", "sleep (pid " + std::to_string(holder->pid()));
    }
    SUBCASE("by ModemManager") {
        const auto manager = rack.folder() / "ModemManager";
        std::filesystem::copy_file("/bin/sleep", manager);
        const auto holder = hold("ModemManager", "exec " + manager.string() + " 300", port);
        REQUIRE(wait_for(20s, [&] {
            const auto finding = ask_doctor(rack, rack.config_file()).of("ModemManager");
            return finding.at("problem") == "other_program";
        }));
        check_names(rack, "port_busy", "ModemManager (pid " + std::to_string(holder->pid()));
    }
}

TEST_CASE("doctor: a gate whose program was replaced while it ran") {
    const Rack rack({.modems = 1}, false);
    const auto program = rack.folder() / "smsrack-gate";
    std::filesystem::copy_file("/bin/sleep", program);
    const Process running(Command{.words = {program.string(), "300"}});
    const std::string holder = "smsrack-gate (pid " + std::to_string(running.pid()) + ")";
    const auto is_named = [&] {
        const auto finding = ask_doctor(rack, rack.config_file()).of("gate");
        return finding.is_object() && finding.at("problem") == "old_gate" &&
               finding.at("text").get<std::string>().contains(holder);
    };
    CHECK_FALSE(is_named());
    std::filesystem::remove(program);
    std::filesystem::copy_file("/bin/sleep", program);
    CHECK(wait_for(asked_within, is_named));
}

TEST_CASE("doctor: brltty in the way, before it has taken a port") {
    const Rack rack({.modems = 1}, false);
    const auto other = rack.folder() / "brltty";
    std::filesystem::copy_file("/bin/sleep", other);
    const Process running(Command{.words = {other.string(), "300"}});
    CHECK(wait_for(asked_within, [&] {
        const auto finding = ask_doctor(rack, rack.config_file()).of("brltty");
        return finding.at("problem") == "other_program" &&
               finding.at("text").get<std::string>().contains("pid " +
                                                              std::to_string(running.pid())) &&
               finding.at("advice").get<std::string>().contains("systemctl mask");
    }));
}

TEST_CASE("doctor: no rights on the port, whose it is, and who asks") {
    std::optional<uid_t> user;
    if (::geteuid() == 0) {
        const passwd* nobody = ::getpwnam("nobody");
        REQUIRE(nobody != nullptr);
        user = nobody->pw_uid;
    }
    const Rack rack({.modems = 1, .user = user}, false);
    const auto device = std::filesystem::canonical(port_of(rack));
    REQUIRE(::chmod(device.c_str(), 0) == 0);
    const auto finding = ask_doctor(rack, rack.config_file(), user).of("m0");
    CAPTURE(finding.dump());
    CHECK(finding.at("problem") == "no_rights");
    CHECK(finding.at("text").get<std::string>().contains("mode 0000; you are "));
}

TEST_CASE("doctor: a wrong baud rate, and the right one") {
    const Rack rack({.modems = 1, .sim_options = {"--baud", "9600", "--strict-baud"}}, false);
    check_names(rack, "wrong_baud", "answers at 9600 baud, but `baud` is 115200");
}

TEST_CASE("doctor: no SIM, a PIN wanted, no network, silence, no port: by the port itself") {
    SUBCASE("no SIM") {
        const Rack rack({.modems = 1}, false);
        rack.simulate({{"do", "sim_removed"}, {"modem", 0}});
        check_names(rack, "sim_absent", "no SIM");
    }
    SUBCASE("a PIN wanted") {
        const Rack rack({.modems = 1, .sim_options = {"--pin", "4711"}}, false);
        check_names(rack, "sim_pin", "none is configured");
    }
    SUBCASE("not registered") {
        const Rack rack({.modems = 1}, false);
        rack.simulate({{"do", "network_lost"}, {"modem", 0}});
        check_names(rack, "not_registered", "not registered");
    }
    SUBCASE("silence") {
        const Rack rack({.modems = 1}, false);
        rack.simulate({{"do", "hang"}, {"modem", 0}});
        check_names(rack, "no_answer", "nothing answers");
    }
    SUBCASE("no port") {
        const Rack rack({.modems = 1}, false);
        rack.simulate({{"do", "unplug"}, {"modem", 0}});
        check_names(rack, "port_missing", "does not exist");
    }
}

TEST_CASE("doctor: the same by the words of the running service") {
    SUBCASE("no SIM") {
        const Rack rack({.modems = 1});
        rack.simulate({{"do", "sim_removed"}, {"modem", 0}});
        check_names(rack, "sim_absent", "SIM");
    }
    SUBCASE("not registered") {
        const Rack rack({.modems = 1});
        rack.simulate({{"do", "network_lost"}, {"modem", 0}});
        check_names(rack, "registering", "network");
    }
    SUBCASE("a wrong PIN") {
        Rack rack({.modems = 1, .sim_options = {"--pin", "4711"}}, false);
        const auto pin = rack.folder() / "pin";
        std::ofstream(pin) << "1234\n";
        std::ofstream config(rack.config_file(), std::ios::app);
        config << "pin = { file = \"" << pin.string() << "\" }\n";
        config.close();
        rack.launch_service();
        check_names(rack, "sim_pin", "did not take the configured PIN");
        (void)rack.stop_service();
        check_names(rack, "sim_pin", "refused the PIN that the service entered at 2");
        check_names(rack, "sim_pin", "; 2 attempts are left");
    }
}

TEST_CASE("slots: who is behind each port, as entries that the configuration takes") {
    const Rack rack({.modems = 2}, false);
    const auto slots = [&] {
        return run({.words = {program("smsrack"), "slots", "--dir", rack.folder() / "modems"}},
                   asked_within);
    };
    REQUIRE(wait_for(asked_within, [&] { return slots().output.contains("ICCID 89"); }));
    const auto found = slots();
    CHECK(found.ending.code == 0);
    const auto entries = found.output.find("[[modem]]");
    REQUIRE(entries != std::string::npos);
    const auto file = rack.folder() / "slots.toml";
    std::ofstream(file) << found.output.substr(entries);
    const auto checked = run({.words = {program("smsrack"), "config", "check", file}});
    CAPTURE(checked.output);
    CHECK(checked.ending.code == 0);
    CHECK(checked.output.contains("2 modems"));
}

TEST_CASE("slots: ports that the service holds are shown as its own") {
    const Rack rack({.modems = 1});
    const auto found = run(
        {.words = {program("smsrack"), "slots", "--dir", rack.folder() / "modems"}}, asked_within);
    CHECK(found.output.contains("busy: smsrackd (pid "));
    CHECK(!found.output.contains("[[modem]]"));
    CHECK(run({.words = {program("smsrack"), "slots", "--dir", "/nowhere"}}).ending.code == 64);
}

}  // namespace smsrack::test
