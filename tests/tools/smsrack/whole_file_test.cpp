#include "tools/smsrack/whole_file.hpp"

#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

using namespace smsrack;
using namespace smsrack::cli;

namespace {

std::ptrdiff_t files_in(const std::filesystem::path& folder) {
    return std::ranges::distance(std::filesystem::directory_iterator(folder),
                                 std::filesystem::directory_iterator());
}

}  // namespace

TEST_CASE("write_whole_file: the whole text under its name, and nothing next to it") {
    const test::TempDir folder;
    const auto file = folder.path() / "f";
    REQUIRE(write_whole_file(file, "one\n", Existing::keep, 0640));
    CHECK(test::read_file(file.string()) == "one\n");
    struct stat about {};
    REQUIRE(::stat(file.c_str(), &about) == 0);
    CHECK((about.st_mode & 07777) == 0640);
    CHECK(files_in(folder.path()) == 1);
    CHECK(read_small_file(file).value() == "one\n");
}

TEST_CASE("write_whole_file: what is there stays, or is replaced, as the caller says") {
    const test::TempDir folder;
    const auto file = folder.path() / "f";
    REQUIRE(write_whole_file(file, "one\n", Existing::keep));
    CHECK(write_whole_file(file, "two\n", Existing::keep).error().code == Errc::conflict);
    CHECK(test::read_file(file.string()) == "one\n");
    REQUIRE(write_whole_file(file, "two\n", Existing::replace));
    CHECK(test::read_file(file.string()) == "two\n");
    std::filesystem::create_symlink("/nowhere/at/all", folder.path() / "link");
    CHECK(write_whole_file(folder.path() / "link", "x", Existing::keep).error().code ==
          Errc::conflict);
    CHECK(files_in(folder.path()) == 2);
}

TEST_CASE("write_whole_file, read_small_file: a folder or a file that is not there is said") {
    const test::TempDir folder;
    const auto nowhere = folder.path() / "no" / "f";
    CHECK(write_whole_file(nowhere, "x", Existing::replace).error().code == Errc::not_found);
    CHECK(read_small_file(nowhere).error().code == Errc::not_found);
    CHECK(read_small_file(nowhere).error().context.contains("no/f"));
}
