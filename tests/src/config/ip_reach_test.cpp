#include "src/config/ip_reach.hpp"

#include <doctest/doctest.h>

using namespace smsrack::config;

TEST_CASE("reach_of: public, private, and addresses that no configuration may lead to") {
    struct Case {
        const char* text;
        IpReach reach;
    };
    for (const Case& it : {
             Case{"192.0.2.1", IpReach::open},
             Case{"172.15.255.255", IpReach::open},
             Case{"172.32.0.0", IpReach::open},
             Case{"2001:db8::1", IpReach::open},
             Case{"127.0.0.1", IpReach::local},
             Case{"10.255.0.1", IpReach::local},
             Case{"172.16.0.1", IpReach::local},
             Case{"172.31.255.255", IpReach::local},
             Case{"192.168.7.7", IpReach::local},
             Case{"::1", IpReach::local},
             Case{"fd12:3456::1", IpReach::local},
             Case{"::ffff:10.0.0.1", IpReach::local},
             Case{"0.0.0.0", IpReach::never},
             Case{"0.1.2.3", IpReach::never},
             Case{"169.254.169.254", IpReach::never},
             Case{"224.0.0.1", IpReach::never},
             Case{"255.255.255.255", IpReach::never},
             Case{"::", IpReach::never},
             Case{"fe80::1", IpReach::never},
             Case{"febf::1", IpReach::never},
             Case{"ff02::1", IpReach::never},
             Case{"fd00:ec2::254", IpReach::never},
             Case{"::ffff:169.254.169.254", IpReach::never},
             Case{"::169.254.169.254", IpReach::never},
             Case{"64:ff9b::192.0.2.1", IpReach::open},
             Case{"64:ff9b::169.254.169.254", IpReach::never},
             Case{"64:ff9b::10.0.0.1", IpReach::local},
             Case{"64:ff9b::0.0.0.0", IpReach::never},
             Case{"64:ff9b:1::192.0.2.1", IpReach::open},
             Case{"64:ff9b:1::169.254.169.254", IpReach::never},
             Case{"64:ff9b:1:a9fe:a9:fe00::", IpReach::never},
             Case{"64:ff9b:1:c000:2:100::", IpReach::open},
             Case{"64:ff9b:1:a9:fe:a9fe::", IpReach::never},      // of a /56
             Case{"64:ff9b:1:c0:0:201::", IpReach::open},         // likewise
             Case{"64:ff9b:1:7:a9:fea9:fe00:0", IpReach::never},  // of a /64
             Case{"64:ff9b:1:7:c0:2:100:0", IpReach::open},       // likewise
             Case{"2002:a9fe:a9fe::1", IpReach::never},
             Case{"2002:c000:201::1", IpReach::open},
         }) {
        CAPTURE(it.text);
        const auto address = ip_address_of(it.text);
        REQUIRE(address);
        CHECK(reach_of(*address) == it.reach);
    }
}
