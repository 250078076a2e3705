#include "firmware-host/net/connection_places.hpp"

#include <doctest/doctest.h>

using smsrack::net::ConnectionPlaces;
using Action = smsrack::net::ConnectionPlaces::Action;

namespace {

constexpr std::uint32_t root = 0;
constexpr std::uint32_t greedy = 1001;
constexpr std::uint32_t modest = 1002;

void take(ConnectionPlaces& places, std::uint32_t account, int count) {
    for (int i = 0; i < count; ++i) {
        places.taken(account, account == root);
    }
}

}  // namespace

TEST_CASE("ConnectionPlaces: an account has its own bound, an administrator has none") {
    ConnectionPlaces places({.connections = 100, .per_account = 3, .kept = 10});
    take(places, greedy, 2);
    CHECK(places.ask(greedy, false).action == Action::take);
    take(places, greedy, 1);
    const auto answer = places.ask(greedy, false);
    CHECK(answer.action == Action::exchange);
    CHECK(answer.account == greedy);
    CHECK(places.ask(modest, false).action == Action::take);
    take(places, root, 50);
    CHECK(places.ask(root, true).action == Action::take);
}

TEST_CASE("ConnectionPlaces: where all are taken, the account that has the most gives one up") {
    ConnectionPlaces places({.connections = 20, .per_account = 20, .kept = 4});
    take(places, greedy, 14);
    take(places, modest, 2);
    struct Case {
        const char* what;
        std::uint32_t account;
        Action action;
        std::uint32_t gives;
    };
    for (const Case& it : {
             Case{"one that has few is let in", modest, Action::replace, greedy},
             Case{"one that is new too", 1003, Action::replace, greedy},
             Case{"the greedy one only for itself", greedy, Action::exchange, greedy},
             Case{"an administrator has places kept", root, Action::take, root},
         }) {
        CAPTURE(it.what);
        const auto answer = places.ask(it.account, it.account == root);
        CHECK(answer.action == it.action);
        CHECK(answer.account == it.gives);
    }
    take(places, root, 4);
    const auto answer = places.ask(root, true);
    CHECK(answer.action == Action::replace);
    CHECK(answer.account == greedy);
}

TEST_CASE("ConnectionPlaces: two greedy accounts share what there is") {
    ConnectionPlaces places({.connections = 16, .per_account = 16, .kept = 0});
    take(places, greedy, 16);
    while (places.ask(modest, false).action == Action::replace) {
        places.gone(greedy);
        places.taken(modest, false);
        REQUIRE(places.of(modest) <= 8);
    }
    CHECK(places.of(greedy) == 8);
}
