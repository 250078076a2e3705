#include "firmware-host/local_group.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace smsrack;

TEST_CASE("local_group: a group of the file, whatever stands before it") {
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
