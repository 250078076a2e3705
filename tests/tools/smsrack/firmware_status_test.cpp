#include "src/wire/json.hpp"
#include "tests/tools/smsrack/firmware_rig.hpp"
#include "tests/tools/smsrack/program_run.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/firmware/firmware_slots.hpp"

using namespace smsrack;
using namespace smsrack::test;

namespace {

FirmwareRig::Ended status(FirmwareRig& rig) {
    return rig.run(
        [](const auto& box, auto& context) { return cli::firmware_status(box, context); });
}

}  // namespace

TEST_CASE("firmware: where there is no box, each command says so in one line") {
    for (const char* words :
         {"status", "install x", "confirm", "rollback", "restore", "leds", "time"}) {
        CAPTURE(words);
        const ProgramRun run = run_smsrack("firmware " + std::string(words));
        CHECK(run.code == 1);
        CHECK(run.out.empty());
        CHECK(run.err.starts_with("smsrack: this machine does not run smsrack's firmware"));
        CHECK(std::ranges::count(run.err, '\n') == 1);
    }
    CHECK(run_smsrack("firmware").code == 64);
    CHECK(run_smsrack("firmware install").code == 64);
    CHECK(run_smsrack("firmware confirm --wait x").code == 64);
}

TEST_CASE("firmware status: both slots, in order, as a table") {
    FirmwareRig rig;
    rig.rauc(rauc_status({.booted = true}, {.good = true, .version = "2.0.0", .sha256 = "bb"},
                         "rootfs.1"));
    rig.write("data/firmware/slot-A.json", R"({"version":"1.9.0","schema":13})");
    rig.write("boot/efi/EFI/smsrack/grubenv",
              "# GRUB Environment Block\nORDER=B A\nA_OK=1\nA_TRIES=0\n"
              "B_OK=0\nB_TRIES=3\n######");
    const auto ended = status(rig);
    CHECK(ended.code == 0);
    CHECK(ended.out ==
          "SLOT  VERSION  RUNS  NEXT  CONFIRMED  TRIES\n"
          "A     1.9.0    yes   -     yes            -\n"
          "B     2.0.0    -     yes   no             3\n"
          "Slot B starts with the next restart (`systemctl reboot`).\n"
          "No version below 1.0 can be installed.\n");
}

TEST_CASE("firmware status: says which configuration the box runs with after a return") {
    FirmwareRig rig;
    rig.rauc(rauc_status({.booted = true}, {}));
    rig.json = true;
    CHECK(wire::parse_json(status(rig).out).value()["configuration"].is_null());
    rig.write("data/firmware/configuration/told", "Version 1.0 in slot A runs with its own.\n");
    const auto said = wire::parse_json(status(rig).out).value();
    CHECK(said["configuration"] == "Version 1.0 in slot A runs with its own.");
    CHECK(said["floor"] == "1.0");
    rig.json = false;
    CHECK(status(rig).out.ends_with("\nVersion 1.0 in slot A runs with its own.\n"));
}

TEST_CASE("firmware status: for programs, what is not known is null") {
    FirmwareRig rig;
    rig.json = true;
    rig.rauc(rauc_status({.booted = true, .good = false}, {.good = false}, ""));
    const auto said = wire::parse_json(status(rig).out);
    REQUIRE(said);
    CHECK((*said)["booted"] == "A");
    CHECK((*said)["next"].is_null());
    CHECK((*said)["slots"][0]["confirmed"] == false);
    CHECK((*said)["slots"][1]["version"].is_null());
    CHECK((*said)["slots"][1]["tries_left"].is_null());
    rig.json = false;
    CHECK(status(rig).out.contains("The release that runs is not confirmed"));
}

TEST_CASE(
    "firmware status: a note of what was in the slot before says nothing of what is there now") {
    FirmwareRig rig;
    rig.rauc(rauc_status({.booted = true}, {.version = "3.0.0", .sha256 = "cc"}));
    rig.write("data/firmware/slot-B.json", R"({"version":"1.0.0","schema":9,"sha256":"bb"})");
    CHECK(status(rig).out.contains("B     3.0.0"));
    rig.json = true;
    CHECK(wire::parse_json(status(rig).out).value()["slots"][1]["schema"].is_null());
    rig.write("data/firmware/slot-B.json", R"({"version":"3.0.0","schema":9,"sha256":"cc"})");
    CHECK(wire::parse_json(status(rig).out).value()["slots"][1]["schema"] == 9);
}

TEST_CASE("firmware status: the kernel's command line tells the slot where RAUC does not") {
    FirmwareRig rig;
    rig.json = true;
    rig.rauc(rauc_status({}, {}));
    CHECK(wire::parse_json(status(rig).out).value()["booted"].is_null());
    rig.write("proc/cmdline", "quiet rauc.slot=B panic=30\n");
    CHECK(wire::parse_json(status(rig).out).value()["booted"] == "B");
}

TEST_CASE("firmware status: RAUC that fails is quoted") {
    FirmwareRig rig;
    rig.script("rauc status", {.code = 1, .err = "rauc: first\nError retrieving slot status\n\n"});
    CHECK(status(rig).why ==
          "`rauc status --detailed --output-format=json` ended with code 1: Error retrieving slot "
          "status");
    rig.programs.scripts.clear();
    CHECK(status(rig).why == "rauc can't be started: not found");
    rig.script("rauc status", {.out = "hello"});
    CHECK(status(rig).why.contains("did not answer with JSON"));
}

TEST_CASE("grubenv_number: whole numbers of whole names") {
    const char* const block = "# GRUB Environment Block\nA_TRIES=2\nAA_TRIES=9\nB_TRIES=x\n####";
    CHECK(cli::grubenv_number(block, "A_TRIES") == 2);
    CHECK_FALSE(cli::grubenv_number(block, "B_TRIES"));
    CHECK_FALSE(cli::grubenv_number(block, "TRIES"));
    CHECK_FALSE(cli::grubenv_number("", "A_TRIES"));
}
