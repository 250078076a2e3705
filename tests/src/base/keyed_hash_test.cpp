#include "src/base/keyed_hash.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

TEST_CASE("keyed_hash64: as the paper's example, and the first of its reference vectors") {
    HashKey key = {};
    std::string message;
    for (std::uint8_t i = 0; i < 16; ++i) {
        key[i] = i;
    }
    CHECK(keyed_hash64(key, "") == 0x726FDB47DD0E0E31);
    for (char i = 0; i < 15; ++i) {
        message += i;
    }
    CHECK(keyed_hash64(key, message) == 0xA129CA6149BE45E5);
}

TEST_CASE("keyed_hash64: another key or another PIN gives another hash") {
    const HashKey key = {1};
    CHECK(keyed_hash64(key, "1234") != keyed_hash64(HashKey{2}, "1234"));
    CHECK(keyed_hash64(key, "1234") != keyed_hash64(key, "1235"));
    CHECK(keyed_hash64(key, "1234") == keyed_hash64(key, "1234"));
}
