#include "src/posting/receiver_request.hpp"

#include "src/base/time_text.hpp"
#include "src/posting/event_values.hpp"
#include "src/posting/signature.hpp"
#include "src/wire/json_writer.hpp"
#include "src/wire/url.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

namespace smsrack::posting {
namespace {

using config::WebhookSettings;
using config::WebhookStyle;

/// Of an event: the name that SMS Gateway for Android gives it, and the member that has its time.
struct SmsgateEvent {
    std::string_view type;
    std::string_view event;
    std::string_view time;
};
constexpr std::array smsgate_events{
    SmsgateEvent{"message.received", "sms:received", "receivedAt"},
    SmsgateEvent{"message.sent", "sms:sent", "sentAt"},
    SmsgateEvent{"message.delivered", "sms:delivered", "deliveredAt"},
    SmsgateEvent{"message.failed", "sms:failed", "failedAt"},
    SmsgateEvent{"message.undelivered", "sms:failed", "failedAt"},
    SmsgateEvent{"message.expired", "sms:failed", "failedAt"},
    SmsgateEvent{"message.cancelled", "sms:failed", "failedAt"},
};
constexpr SmsgateEvent smsgate_other{"", "system:ping", "at"};

/// Kannel's types of delivery reports.
struct KannelReport {
    std::string_view type;
    std::string_view number;
};
constexpr std::array kannel_reports{
    KannelReport{"message.delivered", "1"},   KannelReport{"message.failed", "2"},
    KannelReport{"message.undelivered", "2"}, KannelReport{"message.expired", "2"},
    KannelReport{"message.queued", "4"},      KannelReport{"message.sent", "8"},
    KannelReport{"message.cancelled", "16"},
};

std::int64_t unix_seconds(WallTime time) {
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

/// nullopt: it is no escape of Kannel.
std::optional<std::string> kannel_value(char escape, const EventValues& values) {
    const auto at = time_of(values.at);
    switch (escape) {
        case 'p':
        case 'q':
            return values.other;
        case 'P':
            return "";  // a rack has many numbers, and does not know them all
        case 'a':
        case 'b':
            return values.text;
        case 'k':
            return values.text.substr(0, values.text.find(' '));
        case 'I':
            return values.id;
        case 'i':
            return values.modem;
        case 't':
            return at ? time_text(*at).substr(0, 10) + " " + time_text(*at).substr(11, 8) : "";
        case 'T':
            return at ? fmt::to_string(unix_seconds(*at)) : "";
        case 'd': {
            const auto* const found =
                std::ranges::find(kannel_reports, values.type, &KannelReport::type);
            return found == kannel_reports.end() ? std::string("0") : std::string(found->number);
        }
        default:
            return std::nullopt;
    }
}

}  // namespace

std::string smsgate_body(std::string_view webhook, const WebhookEvent& event) {
    const EventValues values = event_values(event.body);
    const auto* const found = std::ranges::find(smsgate_events, values.type, &SmsgateEvent::type);
    const SmsgateEvent& kind = found == smsgate_events.end() ? smsgate_other : *found;
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("deviceId", "smsrack");
        json.member("event", kind.event);
        json.member("id", event.id);
        json.object("payload", [&] {
            json.member("messageId", values.id);
            if (values.type == "message.received") {
                json.member("message", values.text);
            }
            json.member("phoneNumber", values.other);
            json.member_null("simNumber");
            json.member(kind.time, values.at);
            if (kind.event == "sms:failed") {
                json.member("reason", values.reason.empty() ? values.type : values.reason);
            }
        });
        json.member("webhookId", webhook);
    });
}

std::string kannel_url(std::string_view url, const WebhookEvent& event) {
    const EventValues values = event_values(event.body);
    std::string out;
    while (!url.empty()) {
        const std::size_t sign = std::min(url.find('%'), url.size());
        out += url.substr(0, sign);
        url.remove_prefix(sign);
        if (url.size() < 2) {
            out += url;
            break;
        }
        const auto value = kannel_value(url[1], values);
        out += value ? wire::percent_encoded(*value) : std::string(url.substr(0, 2));
        url.remove_prefix(2);
    }
    return out;
}

ReceiverRequest receiver_request(const WebhookSettings& webhook, const ReceiverKeys& keys,
                                 const WebhookEvent& event, WallTime now) {
    if (webhook.style == WebhookStyle::kannel) {
        return {.has_body = false, .url = kannel_url(webhook.url, event)};
    }
    const std::string timestamp = fmt::to_string(unix_seconds(now));
    ReceiverRequest request{.url = webhook.url,
                            .body = webhook.style == WebhookStyle::smsgate
                                        ? smsgate_body(webhook.name, event)
                                        : event.body};
    const auto add = [&request](std::string_view name, std::string_view value) {
        request.headers.push_back(fmt::format("{}: {}", name, value));
    };
    add("Content-Type", "application/json; charset=utf-8");
    add("webhook-id", event.id);
    add("webhook-timestamp", timestamp);
    add("webhook-signature",
        signature_of({.id = event.id, .timestamp = timestamp, .body = request.body}, keys.secrets,
                     keys.key));
    if (keys.secrets.empty()) {
        return request;
    }
    const std::string& secret = keys.secrets.front().text;
    if (webhook.style == WebhookStyle::github) {
        add("X-Hub-Signature-256", "sha256=" + hex_hmac(secret, request.body));
    } else if (webhook.style == WebhookStyle::smsgate) {
        add("X-Timestamp", timestamp);
        add("X-Signature", hex_hmac(secret, request.body + timestamp));
    }
    return request;
}

}  // namespace smsrack::posting
