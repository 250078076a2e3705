#include "src/wire/out_buffer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace smsrack::wire;

TEST_CASE("OutBuffer: octets leave in their order, in steps of any size") {
    for (const std::size_t step : {1U, 2U, 3U, 5U, 7U, 100U}) {
        CAPTURE(step);
        OutBuffer buffer;
        std::string appended;
        std::string left;
        for (int round = 0; round < 50; ++round) {
            const std::string piece = "<" + std::to_string(round) + ">";
            buffer.append(piece);
            appended += piece;
            const std::string taken(buffer.unsent().substr(0, step));
            buffer.written(taken.size());
            left += taken;
            CHECK(buffer.size() == appended.size() - left.size());
            CHECK(buffer.unsent() == appended.substr(left.size()));
        }
        CHECK(appended.starts_with(left));
    }
}

TEST_CASE("OutBuffer: it is empty at first, and when all of it has left") {
    OutBuffer buffer;
    CHECK(buffer.empty());
    CHECK(buffer.unsent().empty());
    buffer.append("ab");
    CHECK_FALSE(buffer.empty());
    buffer.written(1);
    CHECK_FALSE(buffer.empty());
    CHECK(buffer.unsent() == "b");
    buffer.written(1);
    CHECK(buffer.empty());
    buffer.append("c");
    CHECK(buffer.unsent() == "c");
}

TEST_CASE("clear_and_shrink: only a large buffer gives its memory back") {
    std::string small(3000, 'x');
    const std::size_t kept = small.capacity();
    clear_and_shrink(small);
    CHECK(small.empty());
    CHECK(small.capacity() == kept);

    std::string large(5000, 'x');
    clear_and_shrink(large);
    CHECK(large.empty());
    CHECK(large.capacity() < 100);
}
