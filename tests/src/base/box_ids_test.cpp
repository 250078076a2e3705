#include "src/base/box_ids.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

using namespace smsrack;

TEST_CASE("box_ids: every number's range is its own, and a box that never joined keeps its ids") {
    CHECK(before_ids_of(BoxNumber{}) == 0);
    CHECK(number_of_box(MessageId{1}) == BoxNumber{});
    CHECK(number_of_box(MessageId{(std::int64_t{1} << box_sequence_bits) - 1}) == BoxNumber{});
    for (std::int32_t number = 1; number <= box_number_max; ++number) {
        CAPTURE(number);
        const std::int64_t before = before_ids_of(BoxNumber{number});
        const std::int64_t last = before + ((std::int64_t{1} << box_sequence_bits) - 1);
        CHECK(number_of_box(EventSeq{before + 1}) == BoxNumber{number});
        CHECK(number_of_box(EventSeq{last}) == BoxNumber{number});
        CHECK(number_of_box(MessageId{before - 1}) == BoxNumber{number - 1});
    }
}

TEST_CASE("box_ids: the last id of the last box is the highest number of 64 bits with a sign") {
    CHECK(before_ids_of(BoxNumber{box_number_max}) + ((std::int64_t{1} << box_sequence_bits) - 1) ==
          std::numeric_limits<std::int64_t>::max());
}
