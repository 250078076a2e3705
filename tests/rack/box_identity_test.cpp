#include "firmware-host/setup/box_identity.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace smsrack;
using host::read_identity;
using host::write_identity;

TEST_CASE("box identity: what join writes, the service reads, and no other account may") {
    const test::TempDir dir;
    CHECK(read_identity(dir.path()).error().code == Errc::not_found);
    REQUIRE(write_identity(dir.path(), {.number = {}, .name = "paris-3", .key = "secret"}));
    CHECK(read_identity(dir.path())->number == BoxNumber{});
    REQUIRE(write_identity(dir.path(), {.number = BoxNumber{4}, .name = "paris-3", .key = "k\"1"}));
    const auto read = read_identity(dir.path());
    REQUIRE(read);
    CHECK(read->number == BoxNumber{4});
    CHECK(read->name == "paris-3");
    CHECK(read->key == "k\"1");
    const auto file = host::identity_file(dir.path());
    CHECK(std::filesystem::status(file).permissions() == std::filesystem::perms(0600));
    CHECK(std::filesystem::status(file.parent_path()).permissions() ==
          std::filesystem::perms(0700));
    std::filesystem::permissions(file, std::filesystem::perms(0640));
    CHECK(read_identity(dir.path()).error().context.contains("other accounts may read it"));
}

TEST_CASE("box identity: a file that join has not written is said to be so") {
    const test::TempDir dir;
    REQUIRE(write_identity(dir.path(), {.number = BoxNumber{1}, .name = "a", .key = "k"}));
    const auto file = host::identity_file(dir.path());
    for (const char* text :
         {"", "{}", "no json", R"({"name":"a","number":"1","key":"k"})",
          R"({"name":"a","number":1024,"key":"k"})", R"({"name":"a","number":-1,"key":"k"})"}) {
        CAPTURE(text);
        std::ofstream(file) << text;
        CHECK(read_identity(dir.path()).error().code == Errc::bad_config);
    }
}
