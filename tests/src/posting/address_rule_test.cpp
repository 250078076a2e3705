#include "src/posting/address_rule.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;

TEST_CASE("permits: what the connected address may be, by scheme, proxy and `insecure`") {
    struct Case {
        const char* address;
        bool https;
        bool http;
        bool insecure;  // http
        bool proxy;     // http, the proxy's address
    };
    for (const Case& one :
         std::vector<Case>{{"192.0.2.1", true, false, true, true},
                           {"2001:db8::1", true, false, true, true},
                           {"127.0.0.1", true, true, true, true},
                           {"10.1.2.3", true, true, true, true},
                           {"::1", true, true, true, true},
                           {"fd00::1", true, true, true, true},
                           {"64:ff9b::0a01:0203", true, true, true, true},
                           {"64:ff9b::c000:0201", true, false, true, true},
                           {"169.254.169.254", false, false, false, false},
                           {"::ffff:169.254.169.254", false, false, false, false},
                           {"64:ff9b::169.254.169.254", false, false, false, false},
                           {"64:ff9b:1::169.254.169.254", false, false, false, false},
                           {"2002:a9fe:a9fe::", false, false, false, false},
                           {"fe80::1", false, false, false, false},
                           {"fd00:ec2::254", false, false, false, false},
                           {"0.0.0.0", false, false, false, false},
                           {"::", false, false, false, false},
                           {"224.0.0.1", false, false, false, false},
                           {"ff02::1", false, false, false, false}}) {
        CAPTURE(one.address);
        const auto address = config::ip_address_of(one.address).value();
        config::WebhookSettings webhook;
        webhook.url = "https://crm.example/";
        CHECK(posting::permits(webhook, address) == one.https);
        webhook.url = "http://crm.example/";
        CHECK(posting::permits(webhook, address) == one.http);
        webhook.insecure = true;
        CHECK(posting::permits(webhook, address) == one.insecure);
        webhook.insecure = false;
        webhook.proxy = "http://proxy.example:3128";
        CHECK(posting::permits(webhook, address) == one.proxy);
    }
}
