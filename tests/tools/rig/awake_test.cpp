#include "tools/rig/awake.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace smsrack {
namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("awake: a latency of 0 is asked for, at once and in four octets") {
    const test::TempDir folder;
    const auto path = folder.path() / "latency";
    std::ofstream(path).close();
    const rig::Awake awake(path);
    CHECK(awake.held());
    CHECK(read(path) == std::string(4, '\0'));
}

TEST_CASE(
    "awake: where there is no such device, or it may not be opened, nothing is held and the report "
    "says so") {
    const rig::Awake awake("/nowhere/cpu_dma_latency");
    CHECK_FALSE(awake.held());
    CHECK(awake.told().find("may sleep") != std::string_view::npos);
    CHECK_FALSE(std::filesystem::exists("/nowhere/cpu_dma_latency"));
}

}  // namespace smsrack
