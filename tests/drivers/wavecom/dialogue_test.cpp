// Every dialogue of tests/golden/at that is not a part of others, cut in every way: the driver must
// do the same.
#include "tests/support/dialogue.hpp"

#include <doctest/doctest.h>

#include <array>

namespace smsrack {
namespace {

struct Script {
    const char* so;
    const char* file;
};
constexpr std::array scripts{
    Script{"a submit waits for prompt and release, and ends with its TP-MR", "submit"},
};

}  // namespace

TEST_CASE("WavecomModem: the dialogues, each whole, byte by byte and cut at random, end the same") {
    for (const auto& script : scripts) {
        CAPTURE(script.so);
        SUBCASE(script.file) {
            test::Dialogue(test::Cut::whole, 0).play(script.file);
            test::Dialogue(test::Cut::bytes, 0).play(script.file);
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                CAPTURE(seed);
                test::Dialogue(test::Cut::random, seed).play(script.file);
            }
        }
    }
}

}  // namespace smsrack
