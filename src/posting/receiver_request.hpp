/// The request that brings an event to a webhook's receiver, in the webhook's style.
///
/// Each attempt has the same id and, of one style, the same body octets; timestamp and signatures are
/// new.
///     standard  POST with the headers of Standard Webhooks, which all styles that have a body have
///     github    adds X-Hub-Signature-256 over the body; its key is the text of the first secret
///     smsgate   the body of SMS Gateway for Android, X-Signature over body and X-Timestamp; its key likewise
///     kannel    GET, with the escapes of Kannel's get-url in the URL; unsigned
/// Source:  Standard Webhooks 1.0.0; docs/webhooks.md
#pragma once

#include "src/base/clock.hpp"
#include "src/config/webhook_settings.hpp"
#include "src/posting/webhook_keys.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::posting {

struct ReceiverKeys {
    std::vector<Secret> secrets = {};
    std::optional<SigningKey> key = {};
};

/// What the service wants delivered.
struct WebhookEvent {
    std::string id = {};    ///< header webhook-id
    std::string body = {};  ///< JSON: type, timestamp, data
};

struct ReceiverRequest {
    bool has_body = true;  ///< POST; false: GET
    std::string url = {};
    std::vector<std::string> headers = {};  ///< "Name: value"
    std::string body = {};
};

[[nodiscard]] ReceiverRequest receiver_request(const config::WebhookSettings& webhook,
                                               const ReceiverKeys& keys, const WebhookEvent& event,
                                               WallTime now);

/// The body of SMS Gateway for Android for this one.
[[nodiscard]] std::string smsgate_body(std::string_view webhook, const WebhookEvent& event);

/// `url` with %p, %P, %a, %I, ... replaced, percent-encoded. Other escapes stay as they are.
[[nodiscard]] std::string kannel_url(std::string_view url, const WebhookEvent& event);

}  // namespace smsrack::posting
