#include "src/webhook/config_hash.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace smsrack;
using namespace smsrack::webhook;

TEST_CASE("config_hash: differs with each setting that decides what is sent, and with no other") {
    const config::WebhookSettings base{.name = "crm",
                                       .url = "https://crm.example/hook",
                                       .events = {"message.received"},
                                       .secret = config::KeyFile{"/k"}};
    using Change = void (*)(config::WebhookSettings&);
    std::set<std::string> hashes{config_hash(base)};
    for (const Change change : {
             Change([](auto& s) { s.name = "crm2"; }),
             Change([](auto& s) { s.url += "2"; }),
             Change([](auto& s) {
                 s.events = {"message.received", "message.sent"};
             }),
             Change([](auto& s) { s.events = {"message.receivedmessage.sent"}; }),
             Change([](auto& s) { s.secret->file = "/k2"; }),
             Change([](auto& s) { s.key = config::KeyFile{"/k"}; }),
             Change([](auto& s) { s.client = "billing"; }),
             Change([](auto& s) { s.text = false; }),
             Change([](auto& s) { s.ca = "/ca.pem"; }),
             Change([](auto& s) { s.proxy = "http://p:1"; }),
             Change([](auto& s) { s.style = config::WebhookStyle::github; }),
             Change([](auto& s) { s.insecure = true; }),
         }) {
        config::WebhookSettings changed = base;
        change(changed);
        CHECK(hashes.insert(config_hash(changed)).second);
    }
    config::WebhookSettings same = base;
    same.parallel = 9;
    same.keep = config::days(1);
    same.source_line = 7;
    CHECK(config_hash(same) == config_hash(base));
    CHECK(config_hash(base).size() == 32);
}
