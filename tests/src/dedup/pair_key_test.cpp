#include "src/dedup/pair_key.hpp"

#include <doctest/doctest.h>

#include <optional>

namespace smsrack::dedup {

TEST_CASE("pair_number: a number in its international form is its digits; nothing else has one") {
    struct Row {
        const char* text;
        std::optional<std::uint64_t> number;
    };
    for (const Row& row : {
             Row{"+33612345678", 33'612'345'678},
             Row{"+1", 1},
             Row{"+999999999999999", 999'999'999'999'999},
             Row{"+1000000000000000", std::nullopt},
             Row{"+0612345678", std::nullopt},
             Row{"33612345678", std::nullopt},
             Row{"36180", std::nullopt},
             Row{"+", std::nullopt},
             Row{"", std::nullopt},
             Row{"+33 6", std::nullopt},
             Row{"+336a", std::nullopt},
             Row{"+-33", std::nullopt},
         }) {
        CAPTURE(row.text);
        CHECK(pair_number(row.text) == row.number);
    }
}

TEST_CASE("is_pair: what filters take has bounds on both sides") {
    CHECK(is_pair({.number = 1, .topic = 0}));
    CHECK(is_pair({.number = number_end - 1, .topic = topics_max - 1}));
    CHECK_FALSE(is_pair({.number = 0, .topic = 0}));
    CHECK_FALSE(is_pair({.number = number_end, .topic = 0}));
    CHECK_FALSE(is_pair({.number = 1, .topic = topics_max}));
}

}  // namespace smsrack::dedup
