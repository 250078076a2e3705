#include "src/posting/receiver_request.hpp"

#include "src/base/time_text.hpp"
#include "src/posting/answer_excerpt.hpp"
#include "src/posting/event_values.hpp"
#include "src/posting/retry_after.hpp"
#include "src/posting/signature.hpp"
#include "src/wire/json.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::posting;
using namespace std::chrono_literals;
using config::WebhookStyle;

namespace {

const WallTime now = *time_of("2026-11-26T12:00:00Z");

const WebhookEvent received{
    .id = "evt_4711",
    .body = R"({"type":"message.received","timestamp":"2026-11-26T11:59:58.120Z","data":{"id":"9",)"
            R"("from":"+33612345678","text":"Привет & 100 %","modem":"m2"}})"};

config::WebhookSettings webhook(WebhookStyle style,
                                const std::string& url = "https://crm.example/hook") {
    config::WebhookSettings settings;
    settings.name = "crm";
    settings.url = url;
    settings.style = style;
    return settings;
}

ReceiverKeys keys() {
    return {.secrets = secrets_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value()};
}

std::string header(const ReceiverRequest& request, const std::string& name) {
    for (const std::string& line : request.headers) {
        if (line.starts_with(name + ": ")) {
            return line.substr(name.size() + 2);
        }
    }
    return "";
}

}  // namespace

TEST_CASE("receiver_request: each style that has a body has the headers of Standard Webhooks") {
    for (const auto style : {WebhookStyle::standard, WebhookStyle::github, WebhookStyle::smsgate}) {
        const auto request = receiver_request(webhook(style), keys(), received, now);
        CHECK(request.has_body);
        CHECK(request.url == "https://crm.example/hook");
        CHECK(header(request, "Content-Type") == "application/json; charset=utf-8");
        CHECK(header(request, "webhook-id") == "evt_4711");
        CHECK(header(request, "webhook-timestamp") == "1795694400");
        CHECK(verify({.id = "evt_4711", .timestamp = "1795694400", .body = request.body},
                     header(request, "webhook-signature"), keys().secrets, std::nullopt, now));
        CHECK((request.body == received.body) == (style != WebhookStyle::smsgate));
    }
}

TEST_CASE("receiver_request: github signs the body alone, with the secret as its text") {
    const auto request = receiver_request(webhook(WebhookStyle::github), keys(), received, now);
    CHECK(header(request, "X-Hub-Signature-256") ==
          "sha256=" + hex_hmac("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", received.body));
}

TEST_CASE("receiver_request: smsgate has its payload, signed with the time behind it") {
    const auto request = receiver_request(webhook(WebhookStyle::smsgate), keys(), received, now);
    const auto json = wire::parse_json(request.body).value();
    CHECK(json.at("event") == "sms:received");
    CHECK(json.at("id") == "evt_4711");
    CHECK(json.at("webhookId") == "crm");
    CHECK(json.at("payload").at("phoneNumber") == "+33612345678");
    CHECK(json.at("payload").at("message") == "Привет & 100 %");
    CHECK(json.at("payload").at("receivedAt") == "2026-11-26T11:59:58.120Z");
    CHECK(header(request, "X-Timestamp") == "1795694400");
    CHECK(header(request, "X-Signature") ==
          hex_hmac("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", request.body + "1795694400"));

    const WebhookEvent failed{
        .id = "evt_1",
        .body =
            R"({"type":"message.failed","timestamp":"2026-11-26T11:59:58.120Z","data":{"id":"7",)"
            R"("to":"+33612345678","detail":"ttl"}})"};
    const auto other = wire::parse_json(smsgate_body("crm", failed)).value();
    CHECK(other.at("event") == "sms:failed");
    CHECK(other.at("payload").at("reason") == "ttl");
    CHECK_FALSE(other.at("payload").contains("message"));
    CHECK(
        wire::parse_json(smsgate_body("crm", {.id = "evt_2", .body = "{}"})).value().at("event") ==
        "system:ping");
}

TEST_CASE("receiver_request: kannel is a GET with the values in the URL") {
    const auto request = receiver_request(
        webhook(WebhookStyle::kannel,
                "https://crm.example/"
                "get?from=%p&text=%a&first=%k&id=%I&at=%t&unix=%T&by=%i&x=%20&dlr=%d&%"),
        {}, received, now);
    CHECK_FALSE(request.has_body);
    CHECK(request.body.empty());
    CHECK(request.headers.empty());
    CHECK(request.url ==
          "https://crm.example/"
          "get?from=%2B33612345678&text=%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82%20%26%20"
          "100%20%25&first=%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82&id=9&at=2026-11-26%2011%3A59%3A58&"
          "unix="
          "1795694398&by=m2&x=%20&dlr=0&%");
    CHECK(kannel_url("/?d=%d", {.id = "", .body = R"({"type":"message.delivered"})"}) == "/?d=1");
    CHECK(kannel_url("/?p=%p&a=%a", {.id = "", .body = "not JSON"}) == "/?p=&a=");
}

TEST_CASE("event_values: what a body does not have is empty") {
    for (const char* body : {"", "[]", "{}", R"({"data":[]})", R"({"type":7,"data":{"id":9}})"}) {
        CAPTURE(body);
        const EventValues values = event_values(body);
        CHECK(values.type.empty());
        CHECK(values.id.empty());
    }
}

TEST_CASE("retry_after: seconds and the three dates, an hour at most") {
    struct Case {
        const char* value;
        std::optional<std::chrono::seconds> wait;
    };
    for (const Case& one : std::vector<Case>{{"0", 0s},
                                             {"7", 7s},
                                             {"00000000007", 7s},
                                             {"3601", 3'600s},
                                             {"99999999999999999999", 3'600s},
                                             {"Thu, 26 Nov 2026 12:01:30 GMT", 90s},
                                             {"Thursday, 26-Nov-26 12:01:30 GMT", 90s},
                                             {"Thu Nov 26 12:01:30 2026", 90s},
                                             {"Thu, 26 Nov 2026 11:00:00 GMT", 0s},
                                             {"Thu, 26 Nov 2036 11:00:00 GMT", 3'600s},
                                             {"", std::nullopt},
                                             {"-1", std::nullopt},
                                             {"1.5", std::nullopt},
                                             {"soon", std::nullopt},
                                             {"Thu, 26 Nov 2026", std::nullopt}}) {
        CAPTURE(one.value);
        CHECK(retry_after(one.value, now) == one.wait);
    }
}

TEST_CASE("answer_excerpt: printable, and short") {
    CHECK(answer_excerpt("  not\r\n\tfound\x1b[31m \xC3\xA9 ") == "not found [31m");
    CHECK(answer_excerpt(std::string(1'000, 'a')).size() == 200);
    CHECK(answer_excerpt(std::string("\0\x01", 2)).empty());
}
