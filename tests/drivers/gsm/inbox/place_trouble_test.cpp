#include "drivers/gsm/inbox/place_trouble.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {

TEST_CASE(
    "PlaceTrouble: only readings that follow each other and are equal count as what the modem "
    "has") {
    PlaceTrouble trouble;
    const Place place{Memory::sm, 3};
    struct Step {
        const char* what;
        const char* text;  // empty: refused
        int tries;
        int equal;
    };
    for (const Step& step : {
             Step{"the first", "a", 1, 1},
             Step{"another", "b", 2, 1},
             Step{"the same", "b", 3, 2},
             Step{"a refusal is no reading", "", 4, 0},
             Step{"the same as before it", "b", 5, 1},
         }) {
        CAPTURE(step.what);
        const auto count = trouble.add(place, step.text);
        CHECK(count.tries == step.tries);
        CHECK(count.equal == step.equal);
    }
    CHECK(trouble.has(place));
    CHECK_FALSE(trouble.has({Memory::sr, 3}));
    trouble.over(place);
    CHECK_FALSE(trouble.has(place));
}

TEST_CASE("PlaceTrouble: a torn reading is repeated at once, then ever later, up to a bound") {
    using namespace std::chrono_literals;
    CHECK(PlaceTrouble::pause_after(1) == 0ms);
    CHECK(PlaceTrouble::pause_after(2) == 500ms);
    CHECK(PlaceTrouble::pause_after(3) == 1s);
    CHECK(PlaceTrouble::pause_after(7) == 16s);
    CHECK(PlaceTrouble::pause_after(1'000'000) == 16s);
}

TEST_CASE("PlaceTrouble: keeps a bounded number of places") {
    PlaceTrouble trouble;
    for (std::uint16_t index = 0; index <= PlaceTrouble::places_max; ++index) {
        (void)trouble.add({Memory::sm, index}, "x");
    }
    CHECK_FALSE(trouble.has({Memory::sm, 0}));
    CHECK(trouble.has({Memory::sm, 1}));
}

}  // namespace smsrack::gsm
