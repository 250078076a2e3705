#include "src/wire/json.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <string>
#include <sys/stat.h>

using namespace smsrack;
using namespace smsrack::test;

namespace {

struct TlsRig {
    TempDir folder;
    std::string certificate = (folder.path() / "tls.pem").string();
    std::string key = (folder.path() / "tls.key").string();

    [[nodiscard]] ProgramRun run(const std::string& words = "") const {
        return run_smsrack("tls new " + words + " --cert '" + certificate + "' --key '" + key +
                           "'");
    }
    [[nodiscard]] static unsigned mode_of(const std::string& file) {
        struct stat about {};
        REQUIRE(::stat(file.c_str(), &about) == 0);
        return about.st_mode & 0777U;
    }
};

}  // namespace

TEST_CASE("tls new: a key for the gate's group, a certificate for all, and its SHA-256") {
    const TlsRig rig;
    const auto made = rig.run("--json --name box.lan --name 192.0.2.1");
    CHECK(made.code == 0);
    const auto said = wire::parse_json(made.out);
    REQUIRE(said);
    CHECK((*said)["sha256"].get<std::string>().size() == 95);
    CHECK((*said)["certificate"] == rig.certificate);
    CHECK(read_file(rig.key).starts_with("-----BEGIN PRIVATE KEY-----"));
    CHECK(TlsRig::mode_of(rig.key) == 0640U);
    CHECK(TlsRig::mode_of(rig.certificate) == 0644U);
}

TEST_CASE("tls new: what is there is never overwritten, and nothing is left half made") {
    const TlsRig rig;
    CHECK(rig.run().out.contains("tls_cert = \"" + rig.certificate + "\""));
    const std::string before = read_file(rig.key);
    const auto again = rig.run();
    CHECK(again.code == 1);
    CHECK(again.err.contains("move it away first"));
    CHECK(read_file(rig.key) == before);
    REQUIRE(std::filesystem::remove(rig.key));
    CHECK(rig.run().code == 1);  // the certificate is still there
    CHECK_FALSE(std::filesystem::exists(rig.key));
    CHECK(rig.run("--name 'two words'").code == 64);
}
