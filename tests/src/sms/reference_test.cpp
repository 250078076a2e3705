#include "src/sms/reference.hpp"

#include <doctest/doctest.h>

namespace smsrack {

TEST_CASE("may_be_left_of: digits that lost octets left of a reference, in their order") {
    struct Row {
        int seen;
        std::uint8_t whole;
        bool left;
    };
    for (const Row row :
         {Row{2, 25, true}, Row{5, 25, true}, Row{25, 25, true}, Row{25, 255, true},
          Row{15, 145, true}, Row{0, 200, true}, Row{84, 82, false}, Row{52, 25, false},
          Row{255, 25, false}, Row{3, 25, false}, Row{-1, 11, false}}) {
        CAPTURE(row.seen);
        CAPTURE(row.whole);
        CHECK(may_be_left_of(row.seen, row.whole) == row.left);
    }
}

}  // namespace smsrack
