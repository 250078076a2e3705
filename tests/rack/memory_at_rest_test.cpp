#include "firmware-host/system/memory_at_rest.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <memory>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool glibc_allocates = false;
#else
constexpr bool glibc_allocates = true;
#endif

using Piece = std::array<char, 1024>;

std::size_t resident_pages() {
    std::size_t size = 0;
    std::size_t resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident;
}

}  // namespace

TEST_CASE("MemoryAtRest: memory is given back once, when what used the processor is over") {
    struct Look {
        std::chrono::milliseconds used;  // since the look before
        int given;                       // in all
    };
    constexpr std::array looks{
        Look{300ms, 0},  // the start
        Look{21ms, 0},    Look{20ms, 1},
        Look{0ms, 1},     Look{20ms, 1},  // little again, and little since
        Look{1ms, 2},                     // more than that together
        Look{1'000ms, 2}, Look{500ms, 2},
        Look{0ms, 3},     Look{0ms, 3},
    };
    std::chrono::milliseconds used{0};
    int given = 0;
    host::MemoryAtRest memory({.cpu_time = [&] { return used; }, .give_back = [&] { ++given; }});
    for (const Look& look : looks) {
        used += look.used;
        memory.look();
        CAPTURE(used.count());
        CHECK(given == look.given);
    }
}

TEST_CASE("MemoryAtRest: this process gives back what lies free before a piece that is used") {
    const host::MemoryAtRest::Process process = host::this_process();
    const auto cpu_before = process.cpu_time();
    std::vector<std::unique_ptr<Piece>> pieces(16 * 1024);
    for (auto& piece : pieces) {
        piece = std::make_unique<Piece>();
        piece->fill('x');
    }
    pieces.erase(pieces.begin(), pieces.end() - 1);
    const std::size_t before = resident_pages();
    process.give_back();
    CHECK(process.cpu_time() > cpu_before);
    CHECK(pieces.front()->back() == 'x');
    if (glibc_allocates) {
        CHECK(resident_pages() + 2'000 < before);  // of some 4,000
    }
}
