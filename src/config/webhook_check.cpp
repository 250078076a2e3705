#include "src/config/webhook_check.hpp"

#include "src/config/http_url.hpp"
#include "src/config/ip_reach.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace smsrack::config {
namespace {

constexpr std::size_t name_max = 32;  // of Form::webhook_name

void check_names(const std::vector<WebhookSettings>& webhooks, ProblemList& problems) {
    std::map<std::string_view, int> first_lines;
    for (const WebhookSettings& webhook : webhooks) {
        const auto [first, is_new] = first_lines.emplace(webhook.name, webhook.source_line);
        if (!is_new && !webhook.name.empty()) {
            problems.add(webhook.source_line, "webhook.name",
                         fmt::format("\"{}\" is taken by the webhook of line {}; give each webhook "
                                     "a name of its own",
                                     webhook.name, first->second));
        }
    }
}

/// "message.*" has all events of this group.
bool is_known(std::string_view event) {
    return std::ranges::any_of(event_names, [event](std::string_view name) {
        return name == event ||
               (event.ends_with(".*") && name.starts_with(event.substr(0, event.size() - 1)));
    });
}

void check_events(const WebhookSettings& webhook, ProblemList& problems) {
    for (std::size_t i = 0; i < webhook.events.size(); ++i) {
        if (const std::string& event = webhook.events[i]; !is_known(event)) {
            const auto meant = near_miss(event, event_names);
            problems.add(webhook.source_line, fmt::format("webhook.events[{}]", i),
                         meant ? fmt::format("no such event; did you mean \"{}\"?", *meant)
                               : "no such event; /v1/events lists them in docs/api.md");
        }
    }
}

/// What can be said of an address without a name server; the gate checks what names lead to.
void check_address(const WebhookSettings& webhook, ProblemList& problems) {
    const auto problem = [&](std::string_view key, std::string message) {
        problems.add(webhook.source_line, path_of("webhook", key), std::move(message));
    };
    const auto url = http_url_of(webhook.url);  // nullopt was reported where it was read
    if (url && url->address) {
        const IpReach reach = reach_of(*url->address);
        if (reach == IpReach::never) {
            problem("url", "must not lead to a link-local, multicast or reserved address");
        } else if (reach == IpReach::open && !url->tls && !webhook.insecure) {
            problem("url",
                    "must be https:// where it leads to a public address; insecure = true allows "
                    "it without encryption");
        }
    }
    if (url && !url->tls && !webhook.ca.empty()) {
        problem("ca", "needs a url with https://");
    }
    if (const auto proxy = http_url_of(webhook.proxy);
        proxy && proxy->address && reach_of(*proxy->address) == IpReach::never) {
        problem("proxy", "must not lead to a link-local, multicast or reserved address");
    }
}

void check_webhook(const WebhookSettings& webhook, ProblemList& problems) {
    const auto problem = [&](std::string_view key, std::string message) {
        problems.add(webhook.source_line, path_of("webhook", key), std::move(message));
    };
    if (webhook.events.empty()) {
        problem("events", "must name an event");
    }
    check_events(webhook, problems);
    check_address(webhook, problems);
    if (!webhook.secret && webhook.style != WebhookStyle::kannel) {
        problem("secret", "is required: { file = \"...\" } with a line whsec_...");
    }
    if (webhook.style == WebhookStyle::kannel && !webhook.text) {
        problem("text", "must be true with style \"kannel\", which sends number and text");
    }
}

}  // namespace

std::string webhook_name_of(std::string_view host) {
    std::string name;
    for (const char c : host.substr(0, name_max)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        name += plain ? c : '-';
    }
    return name;
}

void name_webhooks(std::vector<WebhookSettings>& webhooks) {
    for (WebhookSettings& webhook : webhooks) {
        if (const auto url = http_url_of(webhook.url); url && webhook.name.empty()) {
            webhook.name = webhook_name_of(url->host);
        }
    }
}

void check_webhooks(const std::vector<WebhookSettings>& webhooks, ProblemList& problems) {
    if (webhooks.size() > webhooks_max) {
        problems.add(webhooks[webhooks_max].source_line, "webhook",
                     fmt::format("at most {} webhooks", webhooks_max));
    }
    check_names(webhooks, problems);
    for (const WebhookSettings& webhook : webhooks) {
        check_webhook(webhook, problems);
    }
}

void warn_of_webhooks(const std::vector<WebhookSettings>& webhooks, ProblemList& warnings) {
    for (const WebhookSettings& webhook : webhooks) {
        if (webhook.style == WebhookStyle::kannel) {
            warnings.add(webhook.source_line, "webhook.style",
                         "\"kannel\" sends number and text in the address, unsigned; proxies and "
                         "servers log addresses");
        }
    }
}

}  // namespace smsrack::config
