#include "src/access/password.hpp"
#include "src/smpp/account.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <sys/stat.h>

using namespace smsrack;
using namespace smsrack::test;

namespace {

struct SmppRig {
    TempDir folder;
    std::string file = (folder.path() / "smpp-accounts").string();

    [[nodiscard]] ProgramRun run(const std::string& words) const {
        return run_smsrack("smpp " + words + " --file '" + file + "'");
    }
    [[nodiscard]] std::vector<smpp::Account> accounts() const {
        return smpp::accounts_of(read_file(file)).value();
    }
};

}  // namespace

TEST_CASE("smpp new: prints the password alone, and keeps its hash, for the gate alone") {
    const SmppRig rig;
    const auto made = rig.run("new shop --options 'rate=20 mo=none'");
    CHECK(made.code == 0);
    REQUIRE(made.out.size() == 9);  // 8 characters, end of line
    const std::string password = made.out.substr(0, 8);
    CHECK(made.err.contains("not shown again"));
    CHECK_FALSE(made.err.contains(password));
    const auto accounts = rig.accounts();
    REQUIRE(accounts.size() == 1);
    CHECK(accounts[0].rate == 20);
    CHECK(access::password_matches(password, accounts[0].hash));
    CHECK_FALSE(access::password_matches("another1", accounts[0].hash));
    struct stat about {};
    REQUIRE(::stat(rig.file.c_str(), &about) == 0);
    CHECK((about.st_mode & 0777U) == 0600U);
}

TEST_CASE("smpp new and remove: the other lines stay as they are") {
    const SmppRig rig;
    std::ofstream(rig.file) << "# of the shop\nold $y$hash rate=1";
    REQUIRE(rig.run("new shop").code == 0);
    CHECK(read_file(rig.file).starts_with("# of the shop\nold $y$hash rate=1\nshop $y$"));
    CHECK(rig.run("new shop").code == 1);
    CHECK(rig.run("remove old").out == "old can't bind any more\n");
    CHECK(read_file(rig.file).starts_with("# of the shop\nshop $y$"));
    CHECK(rig.run("remove old").code == 1);
}

TEST_CASE("smpp new: a wrong name or option changes nothing and says what it must be") {
    const SmppRig rig;
    CHECK(rig.run("new name-of-more-than-15").err.contains("1 to 15"));
    CHECK(rig.run("new shop --options rate=fast").err.contains("rate: must be 0 to 100000"));
    CHECK(rig.run("new shop --options speed=1").err.contains("these are: sessions, window"));
    CHECK(read_file(rig.file).empty());
    std::ofstream(rig.file) << "shop hash\n";
    const auto refused = rig.run("new other");
    CHECK(refused.err.contains("line 1: "));
    CHECK(read_file(rig.file) == "shop hash\n");
}
