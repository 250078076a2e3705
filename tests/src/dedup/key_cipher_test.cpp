#include "src/dedup/key_cipher.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace smsrack::dedup {
namespace {

constexpr HashKey key{1, 2, 3};

}  // namespace

TEST_CASE("KeyCipher: each number of its bits is met once, and comes back") {
    for (const unsigned bits : {2U, 8U, 16U}) {
        const KeyCipher cipher(bits, key);
        const std::uint64_t end = std::uint64_t{1} << bits;
        std::set<std::uint64_t> met;
        for (std::uint64_t number = 0; number < end; ++number) {
            const std::uint64_t secret = cipher.encrypt(number);
            REQUIRE(secret < end);
            REQUIRE(met.insert(secret).second);
            REQUIRE(cipher.decrypt(secret) == number);
        }
    }
}

TEST_CASE("KeyCipher: large numbers come back too, and another key gives others") {
    HashKey other = key;
    other.back() = 1;
    test::SeededRandom random(1);
    for (const unsigned bits : {50U, 64U}) {
        const KeyCipher cipher(bits, key);
        const KeyCipher stranger(bits, other);
        int equal = 0;
        for (int i = 0; i < 10'000; ++i) {
            const std::uint64_t number = random.next() >> (64 - bits);
            const std::uint64_t secret = cipher.encrypt(number);
            REQUIRE(cipher.decrypt(secret) == number);
            equal += stranger.encrypt(number) == secret ? 1 : 0;
        }
        CHECK(equal == 0);
    }
}

TEST_CASE(
    "KeyCipher: numbers in a row, or far apart by a power of two, are spread as if by chance") {
    constexpr unsigned places = 1'024;
    constexpr unsigned numbers = places * 100;
    const KeyCipher cipher(50, key);
    for (const unsigned step_log2 : {0U, 10U, 25U, 33U}) {
        CAPTURE(step_log2);
        for (const unsigned shift : {0U, 20U, 40U}) {
            CAPTURE(shift);
            std::vector<double> met(places);
            for (std::uint64_t i = 0; i < numbers; ++i) {
                met[cipher.encrypt(i << step_log2) >> shift & (places - 1)] += 1;
            }
            // Chi-square: mean 1023, standard deviation 45; six of them on both sides.
            double chi_square = 0;
            for (const double count : met) {
                chi_square += (count - 100) * (count - 100) / 100;
            }
            CHECK(chi_square > 1'023 - 6 * 45);
            CHECK(chi_square < 1'023 + 6 * 45);
        }
    }
}

}  // namespace smsrack::dedup
