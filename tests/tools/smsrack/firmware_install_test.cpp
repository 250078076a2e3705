#include "tests/tools/smsrack/firmware_rig.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"

using namespace smsrack;
using namespace smsrack::test;

namespace {

FirmwareRig::Ended install(FirmwareRig& rig, bool reboot = false) {
    const std::string bundle = (rig.root() / "new.raucb").string();
    return rig.run([&](const auto& box, auto& context) {
        return cli::firmware_install({.bundle = bundle, .reboot = reboot}, box, context);
    });
}

/// What RAUC 1.8 prints where it fails with `why`.
cli::ProgramAnswer failed(const std::string& why) {
    return {.code = 1,
            .out =
                "installing\n  0% Installing\n 40% Checking bundle failed.\n100% Installing "
                "failed.\nLastError: " +
                why + "\nidle\n",
            .err = "Installing `/x/new.raucb` failed\n"};
}

}  // namespace

TEST_CASE("firmware install: RAUC gets the whole path, and the box must be restarted") {
    FirmwareRig rig;
    rig.rauc(rauc_status({.booted = true}, {.version = "2.0.0", .sha256 = "bb"}, "rootfs.1"));
    rig.write("new.raucb", "bundle");
    const auto ended = install(rig);
    CHECK(ended.code == 0);
    CHECK(ended.out ==
          "Version 2.0.0 is installed to slot B. The box runs it after a restart: `systemctl "
          "reboot`.\n");
    CHECK(rig.programs.called("rauc install " + (rig.root() / "new.raucb").string()));
    CHECK_FALSE(rig.programs.called("systemctl reboot"));
}

TEST_CASE("firmware install --reboot: restarts the box, where all went well") {
    FirmwareRig rig;
    rig.rauc(rauc_status({.booted = true}, {.version = "2.0.0", .sha256 = "bb"}, "rootfs.1"));
    rig.write("new.raucb", "bundle");
    CHECK(install(rig, true).out.contains("starts it now"));
    CHECK(rig.programs.calls.back() == "systemctl reboot");
    rig.programs.calls.clear();
    rig.script("rauc install", failed("something"));
    CHECK(install(rig, true).code == 1);
    CHECK_FALSE(rig.programs.called("systemctl reboot"));
}

TEST_CASE(
    "firmware install: a release that is not confirmed does not overwrite the one to go back to") {
    struct Case {
        bool here;
        bool other;
        int code;
    };
    for (const Case& one : {Case{true, true, 0}, Case{true, false, 0}, Case{false, false, 0},
                            Case{false, true, 75}}) {
        CAPTURE(one.here);
        CAPTURE(one.other);
        FirmwareRig rig;
        rig.rauc(rauc_status({.booted = true, .good = one.here, .version = "2.0.0", .sha256 = "bb"},
                             {.good = one.other, .version = "1.0.0", .sha256 = "aa"}));
        rig.write("new.raucb", "bundle");
        const auto ended = install(rig);
        CHECK(ended.code == one.code);
        CHECK(rig.programs.called("rauc install " + (rig.root() / "new.raucb").string()) ==
              (one.code == 0));
        CHECK(ended.why.contains("in slot A, is not confirmed yet") == (one.code != 0));
    }
}

TEST_CASE("firmware install: a refusal says what is wrong with the bundle") {
    struct Case {
        const char* why;
        int code;
        const char* words;
    };
    for (const Case& one : {
             Case{"signature verification failed: Verify error: self-signed certificate", 65,
                  "its signature is refused"},
             Case{"Compatible mismatch: Expected 'smsrack-amd64' but bundle manifest has "
                  "'smsrack-arm64'",
                  65, "for another kind of machine"},
             Case{"Invalid bundle format: Failed to seek to end of bundle", 65,
                  "not a whole update bundle"},
             Case{"Failed mounting bundle: Failed to open /dev/mapper/control", 1,
                  "the running release stays"},
         }) {
        CAPTURE(one.why);
        FirmwareRig rig;
        rig.rauc(rauc_status({.booted = true}, {}));
        rig.write("new.raucb", "bundle");
        rig.script("rauc install", failed(one.why));
        const auto ended = install(rig);
        CHECK(ended.code == one.code);
        CHECK(ended.why.contains(one.words));
        CHECK(ended.why.contains(one.why));
        CHECK_FALSE(ended.why.contains('\n'));
        CHECK(ended.out.empty());
    }
}

TEST_CASE("firmware install: a version below the floor is refused before RAUC is asked to write") {
    FirmwareRig rig;
    rig.rauc(rauc_status({.booted = true}, {}));
    rig.write("new.raucb", "bundle");
    rig.script(cli::floor_script + std::string(" admits 2.0.0"),
               {.code = 1, .out = "version 2.0.0 is below the floor of this box, version 3.0\n"});
    const auto ended = install(rig);
    CHECK(ended.code == 65);
    CHECK(ended.why.ends_with(
        "version 2.0.0 is below the floor of this box, version 3.0; nothing was changed"));
    CHECK_FALSE(rig.programs.called("rauc install " + (rig.root() / "new.raucb").string()));
}

TEST_CASE("firmware install: what can't be asked about the floor is left to RAUC") {
    struct Case {
        const char* words;
        cli::ProgramAnswer answer;
    };
    for (const Case& one :
         {Case{"rauc info", {.code = 1, .err = "signature\n"}},
          Case{"rauc info", {.out = "no JSON"}}, Case{cli::floor_script, {.code = 127}}}) {
        CAPTURE(one.words);
        FirmwareRig rig;
        rig.rauc(rauc_status({.booted = true}, {}));
        rig.write("new.raucb", "bundle");
        rig.script(one.words, one.answer);
        CHECK(install(rig).code == 0);
        CHECK(rig.programs.called("rauc install " + (rig.root() / "new.raucb").string()));
    }
}

TEST_CASE("firmware install: a file that is not there is not sent to RAUC") {
    FirmwareRig rig;
    rig.rauc(rauc_status({.booted = true}, {}));
    const auto ended = install(rig);
    CHECK(ended.code == 64);
    CHECK(ended.why.ends_with("new.raucb: no such file"));
    std::filesystem::create_directory(rig.root() / "new.raucb");
    CHECK(install(rig).why.ends_with("not a file"));
    CHECK(rig.programs.calls.empty());
}
