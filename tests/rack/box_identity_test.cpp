#include "firmware-host/setup/box_identity.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string_view>

using namespace smsrack;
using host::read_identity;

namespace {

void write(const std::filesystem::path& state_dir, std::string_view text) {
    const auto file = host::identity_file(state_dir);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    std::filesystem::permissions(file, std::filesystem::perms(0600));
}

}  // namespace

TEST_CASE("box identity: what join writes, the service reads, and no other account may") {
    const test::TempDir dir;
    CHECK(read_identity(dir.path()).error().code == Errc::not_found);
    write(dir.path(), host::identity_text({.number = {}, .name = "paris-3", .key = "secret"}));
    CHECK(read_identity(dir.path())->number == BoxNumber{});
    write(dir.path(),
          host::identity_text({.number = BoxNumber{4}, .name = "paris-3", .key = "k\"1"}));
    const auto read = read_identity(dir.path());
    REQUIRE(read);
    CHECK(read->number == BoxNumber{4});
    CHECK(read->name == "paris-3");
    CHECK(read->key == "k\"1");
    std::filesystem::permissions(host::identity_file(dir.path()), std::filesystem::perms(0640));
    CHECK(read_identity(dir.path()).error().context.contains("other accounts may read it"));
}

TEST_CASE("box identity: a file that join has not written is said to be so") {
    const test::TempDir dir;
    for (const char* text :
         {"", "{}", "no json", R"({"name":"a","number":"1","key":"k"})",
          R"({"name":"a","number":1024,"key":"k"})", R"({"name":"a","number":-1,"key":"k"})"}) {
        CAPTURE(text);
        write(dir.path(), text);
        CHECK(read_identity(dir.path()).error().code == Errc::bad_config);
    }
}
