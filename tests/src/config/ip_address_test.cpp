#include "src/config/ip_address.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack::config;

TEST_CASE("ip_address_of: numeric addresses of both families, and nothing else") {
    struct Case {
        const char* text;
        const char* shown;  // as IpAddress says it
        bool loopback;
        const char* network;  // of one client
    };
    for (const Case& it : {
             Case{"192.0.2.1", "192.0.2.1", false, "192.0.2.1"},
             Case{"0.0.0.0", "0.0.0.0", false, "0.0.0.0"},
             Case{"127.9.9.9", "127.9.9.9", true, "127.9.9.9"},
             Case{"::1", "::1", true, "::"},
             Case{"::", "::", false, "::"},
             Case{"2001:DB8:0:1:2:3:4:5", "2001:db8:0:1:2:3:4:5", false, "2001:db8:0:1::"},
             Case{"::ffff:127.0.0.1", "127.0.0.1", true, "127.0.0.1"},
         }) {
        CAPTURE(it.text);
        const auto address = ip_address_of(it.text);
        REQUIRE(address);
        CHECK(address->text() == it.shown);
        CHECK(address->is_loopback() == it.loopback);
        CHECK(address->client_network().text() == it.network);
    }
    for (const std::string& bad :
         {std::string(), std::string("localhost"), std::string("1.2.3"), std::string("1.2.3.4.5"),
          std::string("[::1]"), std::string("fe80::1%eth0"), std::string("1.2.3.4\0", 8),
          std::string(" 1.2.3.4")}) {
        CAPTURE(bad);
        CHECK_FALSE(ip_address_of(bad));
    }
}

TEST_CASE("listen_address_of: an address and a port, IPv6 in brackets") {
    CHECK(listen_address_of("0.0.0.0:8775")->port == 8775);
    CHECK(listen_address_of("[::]:443")->address.text() == "::");
    for (const char* bad : {"", "8775", ":8775", "*:8775", "0.0.0.0", "0.0.0.0:", "0.0.0.0:0",
                            "0.0.0.0:65536", "0.0.0.0:80x", ":::80", "[0.0.0.0]:80", "[::]80"}) {
        CAPTURE(bad);
        CHECK_FALSE(listen_address_of(bad));
    }
}
