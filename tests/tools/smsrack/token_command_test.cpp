#include "src/access/token.hpp"
#include "src/wire/json.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace smsrack;
using namespace smsrack::test;

namespace {

struct TokenRig {
    TempDir folder;
    std::string file = (folder.path() / "tokens").string();

    [[nodiscard]] ProgramRun run(const std::string& words) const {
        return run_smsrack("token " + words + " --file '" + file + "'");
    }
    [[nodiscard]] std::string kept() const { return read_file(file); }
};

}  // namespace

TEST_CASE("token new: prints the token alone, and keeps only its hash, for the service's group") {
    const TokenRig rig;
    const auto made = rig.run("new --role send --name crm");
    CHECK(made.code == 0);
    REQUIRE(made.out.size() == 73);  // "smsrack_", 64 digits, end of line
    const std::string token = made.out.substr(0, 72);
    CHECK(made.err.contains("not shown again"));
    CHECK_FALSE(made.err.contains(token));
    CHECK_FALSE(rig.kept().contains(token.substr(8)));
    CHECK(rig.kept().contains("crm send " + access::token_hash(token)));
    struct stat about {};
    REQUIRE(::stat(rig.file.c_str(), &about) == 0);
    CHECK((about.st_mode & 0777U) == 0640U);
    const auto other = rig.run("new --role send");
    CHECK(other.err.contains("send-1 (send)"));
    CHECK(other.out != made.out);
}

TEST_CASE("token list and revoke: by name, and never the token") {
    const TokenRig rig;
    CHECK(rig.run("list").out == "There are no tokens.\n");
    REQUIRE(rig.run("new --role admin").code == 0);
    const std::string token = rig.run("new --role read").out;
    CHECK(rig.run("list").out.contains("admin-1"));
    const auto all = wire::parse_json(rig.run("list --json").out);
    REQUIRE(all);
    REQUIRE((*all)["tokens"].size() == 2);
    CHECK((*all)["tokens"][1]["name"] == "read-1");
    CHECK((*all)["tokens"][1]["role"] == "read");
    CHECK_FALSE((*all)["tokens"][1].contains("token"));
    CHECK(rig.run("revoke admin-1").out == "admin-1 has no access any more\n");
    CHECK(rig.run("revoke admin-1").code == 1);
    CHECK_FALSE(rig.kept().contains("admin-1"));
    CHECK(rig.kept().contains(access::token_hash(token.substr(0, 72))));
    const auto made = wire::parse_json(rig.run("new --role admin --json").out);
    REQUIRE(made);
    CHECK((*made)["name"] == "admin-1");
    CHECK(rig.kept().contains(access::token_hash((*made)["token"].get<std::string>())));
}

TEST_CASE("token new: a token may end by itself") {
    const TokenRig rig;
    REQUIRE(rig.run("new --role send --name crm --expires 2100-01-31T00:00:00Z").code == 0);
    CHECK(rig.kept().contains(" until=2100-01-31T00:00:00.000Z\n"));
    REQUIRE(rig.run("new --role send --name week --expires 7d").code == 0);
    const auto all = wire::parse_json(rig.run("list --json").out);
    REQUIRE(all);
    CHECK((*all)["tokens"][0]["expires_at"] == "2100-01-31T00:00:00.000Z");
    CHECK(rig.run("list").out.contains("2100-01-31"));
    for (const char* wrong : {"yesterday", "2020-01-01T00:00:00Z"}) {
        CAPTURE(wrong);
        CHECK(rig.run(std::string("new --role send --name odd --expires ") + wrong).code == 64);
    }
}

TEST_CASE("token new: one that reads may see numbers and texts masked") {
    const TokenRig rig;
    REQUIRE(rig.run("new --role read --name eyes --masked").code == 0);
    CHECK(rig.kept().contains("Z masked\n"));
    CHECK(rig.run("list").out.contains("read, masked"));
    const auto all = wire::parse_json(rig.run("list --json").out);
    REQUIRE(all);
    CHECK((*all)["tokens"][0]["masked"] == true);
    CHECK((*all)["tokens"][0]["used_at"].is_null());
    for (const char* const role : {"send", "admin"}) {
        CHECK(rig.run(std::string("new --masked --role ") + role).code == 64);
    }
}

TEST_CASE("token: what is wrong is said, and the file stays as it was") {
    const TokenRig rig;
    REQUIRE(rig.run("new --role send --name crm").code == 0);
    const std::string before = rig.kept();
    const auto owner = rig.run("new --role owner");
    CHECK(owner.code == 64);
    CHECK(owner.err.contains("admin"));
    CHECK(rig.run("new --role 2").code == 64);  // a number is no role
    CHECK(rig.run("new").code == 64);
    CHECK(rig.run("new --role send --name 'two words'").code == 64);
    const auto again = rig.run("new --role send --name crm");
    CHECK(again.code == 1);
    CHECK(again.err.contains("there is a token crm already"));
    CHECK(rig.kept() == before);
    std::ofstream(rig.file, std::ios::app) << "what is this\n";
    const std::string odd = rig.kept();
    const auto bad = rig.run("new --role send");
    CHECK(bad.code == 65);
    CHECK(bad.err.contains(rig.file + ": line 3: must be a name"));
    CHECK(rig.kept() == odd);
    CHECK(run_smsrack("token new --role send --file /nonexistent/tokens").code == 1);
}

TEST_CASE("token: a user that may only read the folder can't hold off what changes the file") {
    const TokenRig rig;
    const int folder = ::open(rig.folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(folder >= 0);
    REQUIRE(::flock(folder, LOCK_EX) == 0);
    CHECK(rig.run("new --role send --name crm").code == 0);
    CHECK(rig.run("revoke crm").code == 0);
    ::close(folder);
    struct stat about {};
    REQUIRE(::stat((rig.file + ".lock").c_str(), &about) == 0);
    CHECK((about.st_mode & 0777U) == 0600U);
}

TEST_CASE("token new: all of those that are made at the same time stay") {
    const TokenRig rig;
    constexpr int count = 8;
    {
        std::vector<std::jthread> makers;
        for (int n = 0; n < count; ++n) {
            makers.emplace_back([&rig] { (void)rig.run("new --role send"); });
        }
    }
    for (int n = 1; n <= count; ++n) {
        CHECK(rig.kept().contains(fmt::format("send-{} send ", n)));
    }
}
