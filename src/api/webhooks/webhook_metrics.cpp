#include "src/api/webhooks/webhook_metrics.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

namespace smsrack::api {
namespace {

using stats::MetricKind;
using stats::MetricsText;
using stats::quoted_label;
using webhook::Numbers;

std::string label_of(const webhook::Webhook& hook) {
    return quoted_label("webhook", hook.settings().name);
}

void append_waiting(MetricsText& text, const webhook::Webhooks& webhooks,
                    const std::vector<webhook::Measured>& measured, WallTime now) {
    text.gauge("smsrack_webhook_waiting",
               "Events that wait to be delivered, counted up to 10000; GET /v1/webhooks.");
    for (std::size_t i = 0; i < measured.size(); ++i) {
        text.sample(label_of(*webhooks.all()[i]), measured[i].waiting);
    }
    text.gauge("smsrack_webhook_dead",
               "Events kept that could not be delivered in time, counted up to 10000.");
    for (std::size_t i = 0; i < measured.size(); ++i) {
        text.sample(label_of(*webhooks.all()[i]), measured[i].dead);
    }
    text.gauge(
        "smsrack_webhook_lost",
        "Events that keep_days removed before they were sent, since `smsrack webhook open`.");
    for (std::size_t i = 0; i < measured.size(); ++i) {
        text.sample(label_of(*webhooks.all()[i]),
                    static_cast<std::uint64_t>(measured[i].loss.events));
    }
    text.gauge("smsrack_webhook_oldest_seconds",
               "Age of the oldest event that waits to be delivered; 0: none does.");
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const auto age = now - measured[i].oldest.value_or(now);
        text.sample(label_of(*webhooks.all()[i]),
                    std::max(0.0, std::chrono::duration<double>(age).count()));
    }
}

void append_seconds(MetricsText& text, const webhook::Webhook& hook) {
    const Numbers& numbers = hook.numbers();
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < Numbers::bounds.size(); ++i) {
        total += numbers.buckets.at(i);
        text.bucket(label_of(hook), std::chrono::duration<double>(Numbers::bounds.at(i)).count(),
                    total);
    }
    text.histogram_end(label_of(hook), std::chrono::duration<double>(numbers.sum).count(),
                       total + numbers.buckets.back());
}

}  // namespace

void append_webhook_metrics(MetricsText& text, const webhook::Webhooks* webhooks,
                            const std::vector<webhook::Measured>& measured, WallTime now) {
    if (webhooks == nullptr) {
        return;
    }
    text.family("smsrack_webhook_deliveries_total", MetricKind::counter,
                "Events delivered, attempts that failed, and events that are dead.");
    for (const auto& hook : webhooks->all()) {
        const auto sample = [&](std::string_view result, std::uint64_t count) {
            text.sample(label_of(*hook) + "," + quoted_label("result", result), count);
        };
        sample("delivered", hook->numbers().delivered);
        sample("failed", hook->numbers().failed);
        sample("dead", hook->numbers().dead);
    }
    text.gauge("smsrack_webhook_open", "1: open, 0: failing or off; GET /v1/webhooks says why.");
    for (const auto& hook : webhooks->all()) {
        text.sample(label_of(*hook), hook->life().state == ports::WebhookState::open);
    }
    append_waiting(text, *webhooks, measured, now);
    text.family("smsrack_webhook_seconds", MetricKind::histogram,
                "Time of an attempt, from its begin to the answer or the error.");
    for (const auto& hook : webhooks->all()) {
        append_seconds(text, *hook);
    }
}

}  // namespace smsrack::api
