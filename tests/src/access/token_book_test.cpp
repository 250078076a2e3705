#include "src/access/token_book.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::access;

namespace {

const WallTime noon = *time_of("2026-11-21T12:00:00Z");

}  // namespace

TEST_CASE("TokenBook: finds a token by its hash, until it ends or is taken out") {
    TokenBook book;
    CHECK(book.find(token_hash("one"), noon) == nullptr);
    book.set({{.name = "crm", .role = Role::send, .hash = token_hash("one")},
              {.name = "eyes", .hash = token_hash("two"), .until = noon}});
    REQUIRE(book.find(token_hash("one"), noon) != nullptr);
    CHECK(book.find(token_hash("one"), noon)->name == "crm");
    CHECK(book.find(token_hash("two"), noon - std::chrono::seconds(1))->name == "eyes");
    CHECK(book.find(token_hash("two"), noon) == nullptr);
    for (const std::string& wrong : {std::string(), token_hash("three"),
                                     token_hash("one").substr(1), token_hash("one") + "0"}) {
        CHECK(book.find(wrong, noon) == nullptr);
    }
    book.set({});
    CHECK(book.find(token_hash("one"), noon) == nullptr);
}

TEST_CASE("TokenBook: knows when the next token ends") {
    TokenBook book;
    CHECK_FALSE(book.next_end(noon));
    const auto hour = std::chrono::hours(1);
    book.set({{.name = "a"},
              {.name = "b", .until = noon - hour},
              {.name = "c", .until = noon + 2 * hour},
              {.name = "d", .until = noon + hour}});
    CHECK(book.next_end(noon) == noon + hour);
    CHECK(book.next_end(noon + hour) == noon + 2 * hour);
    CHECK_FALSE(book.next_end(noon + 2 * hour));
}

TEST_CASE("TokenBook: a hash that was revoked counts no more, whatever the file says") {
    TokenBook book;
    book.set_revoked({token_hash("one")});
    book.set(
        {{.name = "crm", .hash = token_hash("one")}, {.name = "eyes", .hash = token_hash("two")}});
    CHECK(book.find(token_hash("one"), noon) == nullptr);
    CHECK(book.named("crm", noon) == nullptr);
    CHECK(book.find(token_hash("two"), noon) != nullptr);
    CHECK(book.named("eyes", noon) == book.find(token_hash("two"), noon));
    CHECK(book.named("none", noon) == nullptr);
    CHECK(book.is_revoked(book.all()[0]));
    // Another token of that name is another one.
    book.set({{.name = "crm", .hash = token_hash("three")}});
    CHECK(book.named("crm", noon) != nullptr);
}
