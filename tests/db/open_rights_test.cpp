#include "db/engine/open_rights.hpp"

#include "tests/db/temp_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace smsrack;

TEST_CASE("open_rights: what others may reach, with the mode it must have") {
    const test::TempFolder folder;
    const auto state = folder.file("state");
    std::filesystem::create_directory(state);
    const auto file = state / "smsrack.db";
    std::ofstream(file) << "texts";
    REQUIRE(chmod(state.c_str(), 0750) == 0);
    REQUIRE(chmod(file.c_str(), 0640) == 0);
    const auto open = db::open_rights(state);
    REQUIRE(open.size() == 2);
    CHECK(open[0] == state.string() + " has mode 0750; it must be 0700");
    CHECK(open[1] == file.string() + " has mode 0640; it must be 0600");
    CHECK(db::open_right(file) == open[1]);

    REQUIRE(chmod(file.c_str(), 0600) == 0);
    CHECK(db::open_rights(state).size() == 1);
    CHECK_FALSE(db::open_right(file));
    REQUIRE(chmod(file.c_str(), 0644) == 0);
    REQUIRE(chmod(state.c_str(), 0700) == 0);  // then no other account gets to its files
    CHECK(db::open_rights(state).empty());
    CHECK_FALSE(db::open_right(state / "none"));
}
