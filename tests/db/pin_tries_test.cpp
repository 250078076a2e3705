#include "db/write/pin_tries.hpp"

#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

bool may_try(StoreFixture& f, std::string card, std::uint64_t value, int attempts_left = 3) {
    return f.ask(ports::BeginPinTry{{std::move(card), value, attempts_left}, f.clock.wall()})
        .value();
}

}  // namespace

TEST_CASE("pins: a value that failed is not tried again with this card, also after a restart") {
    StoreFixture f;
    REQUIRE(may_try(f, "8933", 17));
    f.store->post(ports::EndPinTry{{"8933", 17, 3}, false});
    f.run();
    f.reopen();
    CHECK_FALSE(may_try(f, "8933", 17));
    CHECK(may_try(f, "8933", 18));  // another value in the configuration
    CHECK(may_try(f, "8944", 17));  // another card
}

TEST_CASE("pins: a value that was taken is entered at every start") {
    StoreFixture f;
    for (int start = 0; start < 3; ++start) {
        REQUIRE(may_try(f, "8933", 0xFFFF'FFFF'FFFF'FFFF));
        f.store->post(ports::EndPinTry{{"8933", 0xFFFF'FFFF'FFFF'FFFF, 3}, true});
        f.run();
        f.reopen();
    }
    REQUIRE(may_try(f, "8933", 0xFFFF'FFFF'FFFF'FFFF));  // until the PIN was changed:
    f.store->post(ports::EndPinTry{{"8933", 0xFFFF'FFFF'FFFF'FFFF, 3}, false});
    CHECK_FALSE(may_try(f, "8933", 0xFFFF'FFFF'FFFF'FFFF, 2));
}

TEST_CASE("pins: after a try whose end was never heard, the card's counter decides") {
    StoreFixture f;
    REQUIRE(may_try(f, "8933", 17, 3));
    f.reopen();  // the process died after the commit
    SUBCASE("as many attempts as before: it did not fail") {
        CHECK(may_try(f, "8933", 17, 3));
        CHECK(may_try(f, "8933", 17, 3));
    }
    SUBCASE("fewer: it failed, and whatever the operator enters later does not change that") {
        CHECK_FALSE(may_try(f, "8933", 17, 2));
        CHECK_FALSE(may_try(f, "8933", 17, 3));
    }
}

TEST_CASE("pins: a command besides the service can read when the last PIN was refused") {
    StoreFixture f;
    const auto refused = [&](const char* card) {
        const auto at = db::last_pin_refused(f.folder.file("smsrack.db"), card);
        REQUIRE(at);
        return *at;
    };
    CHECK_FALSE(refused("8933"));
    REQUIRE(may_try(f, "8933", 17));
    CHECK_FALSE(refused("8933"));  // not heard of yet
    const WallTime then = f.clock.wall();
    f.store->post(ports::EndPinTry{{"8933", 17, 3}, false});
    f.run();
    CHECK(refused("8933") == then);
    CHECK_FALSE(refused("8944"));
    f.clock.advance(std::chrono::hours(1));
    REQUIRE(may_try(f, "8933", 18));  // the corrected one
    f.store->post(ports::EndPinTry{{"8933", 18, 2}, true});
    f.run();
    CHECK_FALSE(refused("8933"));
    CHECK(db::last_pin_refused(f.folder.file("none.db"), "8933").error().code == Errc::not_found);
}
