#include "src/config/memory_need.hpp"

#include <doctest/doctest.h>

using namespace smsrack::config;

namespace {

std::uint64_t mib_of(const char* text) {
    return memory_need(*load_settings(text, "x.toml")) >> 20U;
}

}  // namespace

TEST_CASE(
    "memory_need: grows with what is chosen, and caches of triggers count where there are some") {
    const auto usual = mib_of("");
    CHECK(usual == 48 + 3 * 16 + 256);
    CHECK(mib_of("[service]\nmemory_mib = 32\n") == usual + 48);
    CHECK(mib_of("[service]\nconnections = 2048\n") == usual + 256);
    CHECK(mib_of("[service]\nreaders = 64\n") == usual + 60);
    CHECK(mib_of("[service]\nreaders = 1\ncodec_threads = 64\n") == usual - 3 + 31);
    CHECK(mib_of("[dedup]\ncache_mib = 512\n") == usual);
    CHECK(mib_of("[dedup]\ncache_mib = 512\n[[trigger]]\nname = \"t\"\ntemplate = \"x\"\n") ==
          usual + 512);
}
