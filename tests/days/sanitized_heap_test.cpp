// What the rule "bounded" goes by: also where a sanitizer has the heap.
#include <doctest/doctest.h>

#include <cstddef>
#include <malloc.h>
#include <optional>
#include <utility>
#include <vector>

namespace {

std::size_t in_use() {
    const auto now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
}

}  // namespace

TEST_CASE("mallinfo2: what is allocated is in use, and no longer when it is given back") {
    constexpr std::size_t much = std::size_t{8} * 1024 * 1024;
    constexpr std::size_t little = std::size_t{64} * 1024;
    const std::size_t before = in_use();
    std::optional<std::vector<char>> held(std::in_place, much);
    CHECK(in_use() >= before + much);
    CHECK(in_use() <= before + much + little);
    held.reset();
    CHECK(in_use() <= before + little);
}
