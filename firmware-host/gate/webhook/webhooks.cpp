#include "firmware-host/gate/webhook/webhooks.hpp"

#include "firmware-host/gate/webhook/webhook_files.hpp"
#include "src/webhook/config_hash.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

std::string made_of(const config::WebhookSettings& webhook,
                    const Result<posting::ReceiverKeys>& keys) {
    std::string text = fmt::format("{} {} {}", smsrack::webhook::config_hash(webhook),
                                   webhook.timeout.count(), webhook.parallel);
    if (!keys) {
        return text + keys.error().context;
    }
    for (const posting::Secret& secret : keys->secrets) {
        text += " " + secret.text;
    }
    if (keys->key) {
        text.append(keys->key->seed.begin(), keys->key->seed.end());
    }
    return text;
}

}  // namespace

WebhookShare share_of(const config::WebhookSettings& webhook, std::size_t webhooks) {
    constexpr std::size_t held_each = 8;  // of a request at a time; more save calls to the service
    constexpr std::size_t held_least = 32;
    constexpr std::size_t held_most = 128;
    const std::size_t parallel =
        std::min(static_cast<std::size_t>(webhook.parallel), Webhooks::connections_max / webhooks);
    return {.parallel = parallel,
            .held_max = std::min(std::clamp(held_each * parallel, held_least, held_most),
                                 Webhooks::held_max / webhooks)};
}

Webhooks::Webhooks(const Parts& parts, std::string gate, Read read, LoadCurl load_curl)
    : parts_(parts),
      gate_(std::move(gate)),
      read_(std::move(read)),
      load_curl_(std::move(load_curl)),
      names_(parts.loop) {}

Webhooks::~Webhooks() = default;

void Webhooks::load_curl() {
    if (curl_ && *curl_ != nullptr) {
        return;
    }
    curl_ = load_curl_();
    if (!curl_) {
        parts_.log.error("webhooks_unusable", {{"detail", curl_.error().context},
                                               {"advice", "then reload smsrack-gate"}});
    }
}

void Webhooks::start(const WebhookList& webhooks) {
    read_at_ = parts_.clock.steady();
    if (!webhooks.empty()) {
        load_curl();
    }
    std::erase_if(runs_, [&](const auto& one) {
        return std::ranges::find(webhooks, one.first, &config::WebhookSettings::name) ==
               webhooks.end();
    });
    for (const config::WebhookSettings& webhook : webhooks) {
        begin(webhook, webhooks.size());
    }
}

/// Where the file of keys can't be used now, those that were read from it before stay in use.
Result<posting::ReceiverKeys> Webhooks::keys_of(const config::WebhookSettings& webhook) const {
    if (!curl_) {
        return std::unexpected(curl_.error());
    }
    auto keys = read_keys(webhook);
    if (keys) {
        return keys;
    }
    const auto before = runs_.find(webhook.name);
    const bool has_before = before != runs_.end() && before->second.keys &&
                            before->second.settings == smsrack::webhook::config_hash(webhook);
    parts_.log.error(
        has_before ? "webhook_keys_unusable" : "webhook_unusable",
        {{"webhook", webhook.name},
         {"detail", keys.error().context},
         {"advice", has_before ? "the keys that were read before stay in use; correct the file, "
                                 "then reload smsrack-gate"
                               : "correct it, then reload smsrack-gate"}});
    return has_before ? before->second.keys : std::move(keys);
}

void Webhooks::begin(const config::WebhookSettings& webhook, std::size_t count) {
    auto keys = keys_of(webhook);
    const std::string now = made_of(webhook, keys);
    const WebhookShare share = share_of(webhook, count);
    Running& running = runs_[webhook.name];
    if (running.run && running.made_of == now) {
        running.run->set_share(share);
        return;
    }
    if (keys) {
        parts_.log.info("webhook_read", {{"webhook", webhook.name}});
    }
    said_differs_ = false;
    auto unreported =
        running.run ? running.run->unreported_for(webhook) : std::vector<DeliveryResult>();
    running.run.reset();
    running.settings = smsrack::webhook::config_hash(webhook);
    running.keys = keys;
    running.made_of = now;
    running.run = std::make_unique<WebhookRun>(
        WebhookRun::Parts{.receiver = {.post = {curl_.value_or(nullptr), parts_.loop, parts_.clock},
                                       .names = names_},
                          .upstream = parts_.upstream,
                          .metrics = parts_.metrics,
                          .log = parts_.log,
                          .gate = gate_,
                          .config_differs = [this] { config_differs(); }},
        webhook, share, std::move(keys), std::move(unreported));
}

void Webhooks::reload() {
    read_again();
    if (!drains_) {
        reading_again_ = parts_.loop.after(read_again_pause, [this] { read_again(); });
    }
}

void Webhooks::read_again() {
    reading_again_.reset();
    const auto webhooks = read_();
    if (webhooks && !drains_) {
        start(*webhooks);
    }
}

/// Of several webhooks, which all say so: read once.
void Webhooks::config_differs() {
    if (reading_again_) {
        return;
    }
    const auto passed = parts_.clock.steady() - read_at_;
    if (passed < 2 * read_again_pause && !std::exchange(said_differs_, true)) {
        parts_.log.warn("webhook_config_differs",
                        {{"advice",
                          "smsrackd has read another configuration than smsrack-gate: "
                          "reload both"}});
    }
    const auto delay = std::max(SteadyTime::duration::zero(), read_again_pause - passed);
    reading_again_ = parts_.loop.after(std::chrono::ceil<std::chrono::milliseconds>(delay),
                                       [this] { read_again(); });
}

void Webhooks::drain(std::function<void()> then) {
    reading_again_.reset();
    drains_ = true;
    draining_ = runs_.size();
    if (draining_ == 0) {
        return then();
    }
    drained_ = std::move(then);
    for (const auto& [name, running] : runs_) {
        running.run->drain([this] {
            if (--draining_ == 0) {
                drained_();
            }
        });
    }
}

}  // namespace smsrack::gate
