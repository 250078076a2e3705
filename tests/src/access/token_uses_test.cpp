#include "src/access/token_uses.hpp"

#include "src/access/revoked_tokens.hpp"
#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::access;

namespace {

const WallTime noon = *time_of("2026-11-21T12:00:00Z");

}  // namespace

TEST_CASE("TokenUses: the last use of each, and what is written is read again") {
    TokenUses uses;
    CHECK_FALSE(uses.of(token_hash("one")));
    CHECK_FALSE(uses.take_changed());
    uses.note(token_hash("one"), noon, "192.0.2.1");
    uses.note(token_hash("one"), noon + std::chrono::seconds(1), "2001:db8::1");
    uses.note(token_hash("two"), noon, "");
    CHECK(uses.take_changed());
    CHECK_FALSE(uses.take_changed());
    TokenUses again;
    again.read(uses.text() + "no line\n" + token_hash("three") + " yesterday 192.0.2.1\n");
    CHECK_FALSE(again.take_changed());
    for (const TokenUses& one : {uses, again}) {
        CHECK(one.of(token_hash("one"))->at == noon + std::chrono::seconds(1));
        CHECK(one.of(token_hash("one"))->address == "2001:db8::1");
        CHECK(one.of(token_hash("two"))->address.empty());
        CHECK_FALSE(one.of(token_hash("three")));
    }
}

TEST_CASE("TokenUses: of more than its bound the one that was used longest ago goes") {
    TokenUses uses;
    for (std::size_t i = 0; i <= TokenUses::uses_max; ++i) {
        uses.note(token_hash(std::to_string(i)), noon + std::chrono::seconds(i), "");
    }
    CHECK_FALSE(uses.of(token_hash("0")));
    CHECK(uses.of(token_hash("1")));
    CHECK(uses.of(token_hash(std::to_string(TokenUses::uses_max))));
}

TEST_CASE("revoked tokens: a line each; what is no hash is left out") {
    const std::vector<std::string> hashes{token_hash("one"), token_hash("two")};
    CHECK(revoked_of(text_of_revoked(hashes)) == hashes);
    CHECK(revoked_of("# a word\n\n" + token_hash("one").substr(1) + "\n").empty());
    CHECK(revoked_of("").empty());
}
