// `smsrack cluster power`, as smsrack-wake@.service runs it.
#include "tests/support/temp_dir.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace smsrack;

namespace {

struct Rig {
    test::TempDir folder = {};
    std::string config = file("smsrack.toml");

    [[nodiscard]] std::string file(const char* name) const {
        return (folder.path() / name).string();
    }

    /// The program is a shell script; empty: none is named.
    test::ProgramRun order(const std::string& line, const std::string& script) const {
        std::string cluster = "[cluster]\nname = \"b1\"\nengine = \"postgresql://localhost/x\"\n";
        if (!script.empty()) {
            std::ofstream(file("wake")) << "#!/bin/sh\n" << script << "\n";
            std::filesystem::permissions(file("wake"), std::filesystem::perms(0755));
            cluster += "wake = \"" + file("wake") + "\"\n";
        }
        std::ofstream(config) << cluster;
        return test::run_smsrack("cluster power --config '" + config + "'", "/nowhere.sock", line);
    }
};

}  // namespace

TEST_CASE("cluster power: the program gets the word and the name, and its end is the answer") {
    const Rig rig;
    const auto done = rig.order("wake paris-3\n", R"(echo "$# $1 $2"; test ! -s /dev/stdin)");
    CHECK(done.out == "exit 0 2 wake paris-3\n");
    CHECK(done.code == 0);
    const auto failed = rig.order("fence b2\n", "echo tried; echo 'no answer' >&2; exit 7");
    CHECK(failed.out == "exit 7 no answer\n");
    CHECK(failed.err.contains("tried"));
    CHECK(failed.code == 1);
}

TEST_CASE("cluster power: nothing is run for what is no order, or where no program is named") {
    const Rig rig;
    for (const std::string line : {"", "\n", "wake\n", "stop b2\n", "wake -rf\n", "wake b2; ls\n",
                                   "wake b2", "wake b2 b3\n"}) {
        CAPTURE(line);
        const auto refused = rig.order(line, "touch " + rig.file("was-run"));
        CHECK(refused.out.starts_with("failed it got no order"));
        CHECK(refused.code == 1);
    }
    CHECK_FALSE(std::filesystem::exists(rig.file("was-run")));
    CHECK(rig.order("wake b2\n", "").out.contains("names no program"));
    const auto missing = rig.order("wake b2\n", "exit 0");
    std::filesystem::remove(rig.file("wake"));
    CHECK(missing.out == "exit 0\n");
    CHECK(test::run_smsrack("cluster power --config '" + rig.config + "'", "/nowhere.sock",
                            "wake b2\n")
              .out.contains("can't be started"));
}
