// By what the limits of the gate count: tokens, and the addresses of clients.
#include "firmware-host/gate/client_addresses.hpp"
#include "firmware-host/gate/places.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::gate;

TEST_CASE(
    "Places: bounds of all, of a token and of a network; a place is given back when it goes") {
    Places places({.all = 4, .of_token = 2, .of_network = 3});
    std::vector<Places::Place> taken;
    const auto take = [&](const std::string& token, std::uint32_t network) {
        auto place = places.take(token, network);
        const bool got = place != nullptr;
        if (got) {
            taken.push_back(std::move(place));
        }
        return got;
    };
    CHECK(take("a", 1));
    CHECK(take("a", 1));
    CHECK_FALSE(take("a", 2));  // the token has two
    CHECK(take("b", 1));
    CHECK_FALSE(take("c", 1));  // the network has three
    CHECK(take("c", 2));
    CHECK_FALSE(take("d", 3));  // four in all
    taken.erase(taken.begin());
    CHECK(take("a", 1));
    CHECK_FALSE(take("a", 2));
}

TEST_CASE("Places: a proxy that names no clients has a share of its own") {
    Places places({.all = 9, .of_token = 9, .of_network = 1, .of_proxy = 3});
    std::vector<Places::Place> taken;
    for (int i = 0; i < 3; ++i) {
        taken.push_back(places.take("a", 1, true));
        CHECK(taken.back() != nullptr);
    }
    CHECK(places.take("a", 1, true) == nullptr);
    taken.push_back(places.take("a", 2));
    CHECK(taken.back() != nullptr);
    CHECK(places.take("a", 2) == nullptr);
}

TEST_CASE("Places: a place may outlive them") {
    Places::Place place;
    {
        Places places({.all = 1, .of_token = 1, .of_network = 1});
        place = places.take("a", 1);
    }
    CHECK(place != nullptr);
    place.reset();
}

TEST_CASE("ClientAddresses: a proxy that is trusted says whom it speaks for, others do not") {
    const ClientAddresses addresses({"192.0.2.1", "2001:db8::1"}, "key");
    struct Case {
        const char* what;
        const char* peer;
        std::vector<wire::HeaderField> headers;
        const char* address;
    };
    for (const Case& it : {
             Case{"no proxy", "198.51.100.7", {}, "198.51.100.7"},
             Case{"not trusted",
                  "198.51.100.7",
                  {{"x-forwarded-for", "203.0.113.9"}},
                  "198.51.100.7"},
             Case{"trusted", "192.0.2.1", {{"x-forwarded-for", "203.0.113.9"}}, "203.0.113.9"},
             Case{"as IPv6 writes it",
                  "::ffff:192.0.2.1",
                  {{"x-forwarded-for", " 203.0.113.9 "}},
                  "203.0.113.9"},
             Case{"written in another way",
                  "2001:db8:0:0::1",
                  {{"x-forwarded-for", "203.0.113.9"}},
                  "203.0.113.9"},
             Case{"what its client made up comes before",
                  "192.0.2.1",
                  {{"x-forwarded-for", "10.0.0.1, 203.0.113.9"}},
                  "203.0.113.9"},
             Case{"the last header",
                  "192.0.2.1",
                  {{"x-forwarded-for", "10.0.0.1"}, {"x-forwarded-for", "203.0.113.9"}},
                  "203.0.113.9"},
             Case{"with a port",
                  "192.0.2.1",
                  {{"x-forwarded-for", "203.0.113.9:5678"}},
                  "203.0.113.9"},
             Case{"in brackets",
                  "192.0.2.1",
                  {{"x-forwarded-for", "[2001:db8::9]:5678"}},
                  "2001:db8::9"},
             Case{"a bracket alone", "192.0.2.1", {{"x-forwarded-for", "["}}, "192.0.2.1"},
             Case{"no address", "192.0.2.1", {{"x-forwarded-for", "unknown"}}, "192.0.2.1"},
         }) {
        CAPTURE(it.what);
        const wire::Peer peer{.address = it.peer};
        wire::HttpRequest request{.headers = it.headers, .peer = &peer};
        CHECK(addresses.of(request).address == it.address);
        CHECK(addresses.of(request).is_proxy == addresses.is_trusted(it.address));
    }
}

TEST_CASE("ClientAddresses: a /64 is one network, and so is an IPv4 address") {
    const ClientAddresses addresses({}, "key");
    CHECK(addresses.network_of("2001:db8::1") == addresses.network_of("2001:db8::ffff:2"));
    CHECK(addresses.network_of("2001:db8::1") != addresses.network_of("2001:db8:0:1::1"));
    CHECK(addresses.network_of("192.0.2.1") == addresses.network_of("::ffff:192.0.2.1"));
    CHECK(addresses.network_of("192.0.2.1") != addresses.network_of("192.0.2.2"));
    CHECK(addresses.network_of("192.0.2.1") !=
          ClientAddresses({}, "other").network_of("192.0.2.1"));
}
