#include "src/trigger/event.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace smsrack;
using trigger::bad_samples_max;

TEST_CASE("counts: the samples are the first lines, in whatever order they are decided") {
    for (const bool backwards : {false, true}) {
        CAPTURE(backwards);
        trigger::Counts early;
        trigger::Counts late;
        for (std::uint64_t i = 1; i <= 3 * bad_samples_max; ++i) {
            const std::uint64_t line = backwards ? 3 * bad_samples_max + 1 - i : i;
            (line % 3 == 0 ? late : early).sample(line, "line " + std::to_string(line));
        }
        early.add(late);
        REQUIRE(early.samples.size() == bad_samples_max);
        for (std::uint64_t line = 1; line <= bad_samples_max; ++line) {
            CHECK(early.samples[line - 1].line == line);
            CHECK(early.samples[line - 1].why == "line " + std::to_string(line));
        }
    }
}
