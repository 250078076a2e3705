#include "firmware-host/setup/local_accounts.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace smsrack;

TEST_CASE("local_group: a group of the file, whatever is before it") {
    const test::TempDir dir;
    const auto file = dir.path() / "group";
    std::ofstream(file) << "root:x:0:\n\nbroken\nmany:x:7:" << std::string(100'000, 'm')
                        << "\nsmsrack-admin2:x:902:\nsmsrack-admin:x:901:anna,bert\n";
    CHECK(host::local_group("smsrack-admin", file) == 901);
    CHECK(host::local_group("root", file) == 0);
    CHECK_FALSE(host::local_group("smsrack", file));
    CHECK_FALSE(host::local_group("", file));
    CHECK_FALSE(host::local_group("root", dir.path() / "none"));
    CHECK(host::local_group("root") == 0);  // of this machine
}

TEST_CASE("local_user: an account of the file; digits are a uid") {
    const test::TempDir dir;
    const auto file = dir.path() / "passwd";
    std::ofstream(file) << "root:x:0:0:root:/root:/bin/sh\nno line\nanna:x:1001:1001::/:/bin/sh\n"
                           "1002:x:7:7::/:/bin/sh\n";
    CHECK(host::local_user("anna", file) == 1001);
    CHECK(host::local_user("4711", file) == 4711);
    CHECK(host::local_user("1002", file) == 7);  // a name first
    CHECK_FALSE(host::local_user("bert", file));
    CHECK_FALSE(host::local_user("", file));
    CHECK_FALSE(host::local_user("99999999999", file));
    CHECK_FALSE(host::local_user("anna", dir.path() / "none"));
    CHECK(host::local_user("root") == 0);  // of this machine
}
