#include "src/access/token.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::access;

TEST_CASE("token_hash: SHA-256, as FIPS 180-4 has it in its examples") {
    CHECK(token_hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(token_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("token_text: all of the chance, behind a front that says whose it is") {
    std::array<std::byte, 32> chance{};
    chance[0] = std::byte{0xAB};
    chance[31] = std::byte{0x01};
    const std::string text = token_text(chance);
    CHECK(text == "smsrack_ab" + std::string(60, '0') + "01");
}

TEST_CASE("tokens: what is written is read again") {
    const std::vector<Token> tokens{
        {"crm", Role::send, token_hash("one"), *time_of("2026-11-21T02:20:18.042Z"), {}},
        {"box.1", Role::admin, token_hash("two"), *time_of("2026-11-22T00:00:00.000Z"),
         *time_of("2027-01-31T12:00:00.000Z")},
        {"eyes", Role::read, token_hash("three"), *time_of("2026-11-22T00:00:00.000Z"), {}},
        {"half", Role::read, token_hash("four"), *time_of("2026-11-22T00:00:00.000Z"),
         *time_of("2027-01-31T12:00:00.000Z"), true}};
    const std::string text = text_of_tokens(tokens);
    CHECK_FALSE(text.contains("one"));
    const auto read = tokens_of(text);
    REQUIRE(read);
    REQUIRE(read->size() == tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        CHECK((*read)[i].name == tokens[i].name);
        CHECK((*read)[i].role == tokens[i].role);
        CHECK((*read)[i].hash == tokens[i].hash);
        CHECK((*read)[i].made == tokens[i].made);
        CHECK((*read)[i].until == tokens[i].until);
        CHECK((*read)[i].masked == tokens[i].masked);
    }
    CHECK(tokens_of("")->empty());
    CHECK(tokens_of("# a word\n\n   \n")->empty());
}

TEST_CASE("tokens: a malformed line is reported by its number, and never quoted") {
    const std::string hash = token_hash("x");
    const std::string good = "a send " + hash + " 2026-11-21T02:20:18Z\n";
    REQUIRE(tokens_of(good));
    for (const std::string& bad :
         {"a send " + hash + "\n", "a owner " + hash + " 2026-11-21T02:20:18Z\n",
          "a/b send " + hash + " 2026-11-21T02:20:18Z\n", "b send " + hash + " yesterday\n",
          "b send " + hash.substr(1) + " 2026-11-21T02:20:18Z\n", std::string("s3cret\n"),
          "b send " + hash + " 2026-11-21T02:20:18Z more\n",
          "b send " + hash + " 2026-11-21T02:20:18Z until=later\n",
          "b send " + hash + " 2026-11-21T02:20:18Z until=2027-11-21T02:20:18Z more\n",
          "b send " + hash + " 2026-11-21T02:20:18Z masked\n",
          "b read " + hash + " 2026-11-21T02:20:18Z masked masked\n", good}) {
        CAPTURE(bad);
        const auto read = tokens_of("# first\n" + good + bad);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == Errc::bad_request);
        CHECK(read.error().context.starts_with("line 3: "));
        CHECK_FALSE(read.error().context.contains(hash));
        CHECK_FALSE(read.error().context.contains("s3cret"));
    }
}

TEST_CASE("tokens: neither their number nor their file is without bound") {
    std::string text;
    for (std::size_t number = 0; number < tokens_max; ++number) {
        text +=
            "t" + std::to_string(number) + " send " + token_hash("x") + " 2026-11-21T02:20:18Z\n";
    }
    REQUIRE(tokens_of(text));
    const auto more = tokens_of(text + "more send " + token_hash("x") + " 2026-11-21T02:20:18Z\n");
    REQUIRE_FALSE(more);
    CHECK(more.error().context.starts_with("line 1001: "));
    const auto large = tokens_of(std::string(tokens_bytes_max + 1, '\n'));
    REQUIRE_FALSE(large);
    CHECK(large.error().context.contains("256 KiB"));
}

TEST_CASE("bearer_token: nothing but our own form is a token") {
    const std::string token = "smsrack_" + std::string(64, 'a');
    CHECK(bearer_token("Bearer " + token) == token);
    CHECK(bearer_token("bearer " + token) == token);
    for (const std::string& bad :
         {std::string(), std::string("Bearer"), token, "Basic " + token, "Bearer  " + token,
          "Bearer " + token + "a", "Bearer " + token.substr(1), "Bearer " + token + ",",
          "Bearer smsrack_" + std::string(64, 'A')}) {
        CAPTURE(bad);
        CHECK_FALSE(bearer_token(bad));
    }
}
