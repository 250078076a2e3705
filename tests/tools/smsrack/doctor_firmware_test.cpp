#include "tools/smsrack/doctor/doctor_firmware.hpp"

#include "tests/tools/smsrack/firmware_rig.hpp"

#include <chrono>

using namespace smsrack;
using namespace smsrack::test;

namespace {

cli::Findings look(FirmwareRig& rig) {
    return cli::look_at_firmware(
        {.root = rig.root(), .programs = rig.programs, .clock = rig.clock, .wait = {}});
}

void keyring(const FirmwareRig& rig, const std::string& first_line) {
    rig.write("run/box/keyring.pem", first_line + "\n-----BEGIN CERTIFICATE-----\n");
}

constexpr const char* good = "# smsrack keyring 20270101000000 ends 2046-11-21";

}  // namespace

TEST_CASE("doctor: a machine that is no box is not asked about updates") {
    FirmwareRig rig;
    std::filesystem::remove(rig.root() / "etc/rauc/system.conf");
    CHECK(look(rig).empty());
}

TEST_CASE("doctor: whose updates a box accepts") {
    struct Case {
        const char* line;
        const char* problem;
        const char* words;
    };
    for (const Case& one : {Case{good, "", "until 2046-11-21"},
                            Case{"# smsrack keyring 20270101000000 ends 2046-11-21 DEVELOPMENT",
                                 "development_key", "signed with a DEVELOPMENT key"},
                            Case{"# smsrack keyring 20070101000000 ends 2027-06-01", "keyring_ends",
                                 "until 2027-06-01"},
                            Case{"-----BEGIN CERTIFICATE-----", "", "this box's keyring"}}) {
        CAPTURE(one.line);
        FirmwareRig rig;
        rig.clock.set_date(std::chrono::sys_days(std::chrono::year(2026) / 11 / 26));
        keyring(rig, one.line);
        const auto findings = look(rig);
        REQUIRE(findings.size() == 1);
        CHECK(findings.front().problem == one.problem);
        CHECK(findings.front().text.contains(one.words));
        CHECK(findings.front().advice.empty() == (std::string_view(one.problem).empty()));
    }
}

TEST_CASE("doctor: a box without a keyring accepts no update") {
    FirmwareRig rig;
    REQUIRE(look(rig).size() == 1);
    CHECK(look(rig).front().problem == "keyring_missing");
}

TEST_CASE("doctor: an image for tests, and a configuration that a return set aside") {
    FirmwareRig rig;
    keyring(rig, good);
    rig.write("usr/lib/smsrack/release", "VERSION=1.0\nDEBUG=0\n");
    CHECK(look(rig).size() == 1);
    rig.write("usr/lib/smsrack/release", "VERSION=1.0\nDEBUG=1\n");
    rig.write("data/firmware/configuration/set-aside/about", "What version 2.0 had is there.\n");
    const auto findings = look(rig);
    REQUIRE(findings.size() == 3);
    CHECK(findings[1].problem == "debug_image");
    CHECK(findings[2].problem == "configuration_set_aside");
    CHECK(findings[2].text == "What version 2.0 had is there.");
    CHECK(findings[2].advice.contains("configuration/set-aside"));
}
