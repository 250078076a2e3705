#include "src/config/http_url.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace smsrack::config;

TEST_CASE("http_url_of: the parts of an address") {
    struct Case {
        const char* text;
        bool tls;
        const char* host;
        bool literal;
        std::uint16_t port;
        const char* path;
        bool has_query;
    };
    for (const Case& it : {
             Case{"https://crm.example/hook", true, "crm.example", false, 443, "/hook", false},
             Case{"HTTP://CRM.Example", false, "crm.example", false, 80, "/", false},
             Case{"http://127.0.0.1:9000/a?b=c/d", false, "127.0.0.1", true, 9000, "/a", true},
             Case{"https://[2001:DB8::1]:8443?x", true, "2001:db8::1", true, 8443, "/", true},
             Case{"http://[::1]/", false, "::1", true, 80, "/", false},
             Case{"http://host_1.local./x@y", false, "host_1.local.", false, 80, "/x@y", false},
         }) {
        CAPTURE(it.text);
        const auto url = http_url_of(it.text);
        REQUIRE(url);
        CHECK(url->tls == it.tls);
        CHECK(url->host == it.host);
        CHECK(url->address.has_value() == it.literal);
        CHECK(url->port == it.port);
        CHECK(url->path == it.path);
        CHECK(url->has_query == it.has_query);
    }
}

TEST_CASE("http_url_of: what may mean another address than it says is refused") {
    for (const char* const bad : {"",
                                  "crm.example/hook",
                                  "ftp://crm.example/",
                                  "file:///etc/passwd",
                                  "gopher://h/",
                                  "https://",
                                  "https:///x",
                                  "https://user@host/",
                                  "https://user:word@host/",
                                  "https://host/#part",
                                  "https://host/a b",
                                  "https://host\\@evil/",
                                  "https://host:0/",
                                  "https://host:65536/",
                                  "https://host:/",
                                  "https://host:1x/",
                                  "https://[::1",
                                  "https://::1/",
                                  "https://[127.0.0.1]/",
                                  "https://[name]/",
                                  "http://2130706433/",
                                  "http://0x7f.1/",
                                  "http://0177.0.0.1/",
                                  "http://127.1/",
                                  "http://0x7f000001/",
                                  "http://127.0.0.1./",
                                  "https://a..b/",
                                  "https://.a/",
                                  "https://b\xC3\xBC"
                                  "cher.example/"}) {
        CAPTURE(bad);
        CHECK_FALSE(http_url_of(bad));
    }
    CHECK_FALSE(http_url_of("https://host/" + std::string(url_octets_max, 'x')));
}

TEST_CASE("without_query: what follows the question mark is not shown") {
    CHECK(without_query("https://crm.example/hook?key=secret") == "https://crm.example/hook?...");
    CHECK(without_query("https://crm.example/hook") == "https://crm.example/hook");
}
