/// [[webhook]]: a receiver of events over HTTP.
///
/// smsrackd decides what is sent and when, smsrack-gate sends it; both read these settings.
#pragma once

#include "src/config/field.hpp"
#include "src/config/http_url.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace smsrack::config {

/// Each has its own connections in the gate and its own window in the service.
inline constexpr std::size_t webhooks_max = 64;

/// Its place in the events is that of a client whose name begins so; no other client may have such a
/// name.
inline constexpr std::string_view webhook_client_prefix = "webhook.";

/// How a request is made, besides the headers of Standard Webhooks.
enum class WebhookStyle : std::uint8_t { standard, github, smsgate, kannel };

template <>
struct Words<WebhookStyle> {
    static constexpr std::array<std::string_view, 4> names{"standard", "github", "smsgate",
                                                           "kannel"};
};

/// Where keys that sign requests are. Only the gate reads them.
struct KeyFile {
    std::string file = {};

    static constexpr auto fields = std::tuple{
        field("file", &KeyFile::file, form(Form::absolute_path).needed(), "0640 root:smsrack-gate"),
    };
};

struct WebhookSettings {
    std::string name = {};  ///< never empty after load_settings(): derived from the host if absent
    std::string url = {};
    std::vector<std::string> events = {};
    std::optional<KeyFile> secret = {};
    std::optional<KeyFile> key = {};
    std::string client = {};  ///< empty: events of all messages
    bool text = true;
    std::string ca = {};     ///< empty: the system's
    std::string proxy = {};  ///< empty: none
    WebhookStyle style = WebhookStyle::standard;
    bool insecure = false;
    seconds timeout{15};
    std::int64_t parallel = 4;
    std::chrono::hours retry{48};
    days keep{30};
    std::string since = {};  ///< empty: a new webhook starts now; else RFC 3339
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("name", &WebhookSettings::name, form(Form::webhook_name),
              "unique; absent: made from the host"),
        field("url", &WebhookSettings::url, form(Form::http_url).needed(), "of the receiver"),
        field("events", &WebhookSettings::events, form(Form::any).needed(),
              "names of events, such as \"message.received\" or \"message.*\""),
        field("secret", &WebhookSettings::secret, form(Form::any),
              "whsec_..., one or two lines: both sign"),
        field("key", &WebhookSettings::key, form(Form::any),
              "whsk_...: adds a signature that needs no shared secret"),
        field("client", &WebhookSettings::client, form(Form::label),
              "only events of this client's messages; absent: of all"),
        field("text", &WebhookSettings::text, form(Form::any),
              "false: events without texts and numbers"),
        field("ca", &WebhookSettings::ca, form(Form::absolute_path),
              "certificates that replace the system's; absent: the system's"),
        field("proxy", &WebhookSettings::proxy, form(Form::proxy_url),
              "absent: none; proxy variables of the environment have no effect"),
        field("style", &WebhookSettings::style, form(Form::any),
              "standard | github | smsgate | kannel"),
        field("insecure", &WebhookSettings::insecure, form(Form::any),
              "http:// to public addresses"),
        field("timeout_s", &WebhookSettings::timeout, range(1, 120), "one request at most"),
        field("parallel", &WebhookSettings::parallel, range(1, 64), "requests at once"),
        field("retry_h", &WebhookSettings::retry, range(1, 8'760),
              "then an event that failed is dead"),
        field("keep_days", &WebhookSettings::keep, range(1, 3'650),
              "delivered and dead events, for replay"),
        field("since", &WebhookSettings::since, form(Form::time),
              "where a new webhook starts; absent: now"),
    };
};

/// What `events` may name besides "GROUP.*". A test compares it with src/sms/event.
inline constexpr std::array<std::string_view, 23> event_names{
    "message.scheduled", "message.queued",      "message.sending",  "message.sent",
    "message.delivered", "message.undelivered", "message.failed",   "message.expired",
    "message.cancelled", "message.uncertain",   "message.received", "modem.state",
    "service.notice",    "scaling.decision",    "client.state",     "optout.stop",
    "webhook.dead",      "message.elsewhere",   "message.kept",     "cluster.box",
    "cluster.engine",    "cluster.conflict",    "cluster.decision",
};

}  // namespace smsrack::config
