#include "src/webhook/webhooks.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::webhook {
namespace {

// A receiver that restarts is back before.
constexpr std::chrono::seconds failing_patience{60};

ports::KeepWebhooks::Wish wish_of(const config::WebhookSettings& settings) {
    const auto since = time_of(settings.since);  // checked with the configuration
    return {.name = settings.name,
            .keep = settings.keep,
            .since = settings.since.empty() || !since ? std::nullopt : std::optional(*since),
            .events = settings.events,
            .client = settings.client};
}

std::string events_text(std::int64_t count) {
    return fmt::format("{} event{}", count, count == 1 ? "" : "s");
}

}  // namespace

std::vector<ports::Condition> conditions_of(const Webhook& webhook) {
    std::vector<ports::Condition> found;
    const std::string& name = webhook.settings().name;
    const ports::WebhookLife& life = webhook.life();
    const std::string subject = "webhook " + name;
    if (life.state == State::off) {
        found.push_back({.kind = ports::ConditionKind::webhook_off,
                         .subject = subject,
                         .text = fmt::format("webhook {} is off since {}: {}; its events wait",
                                             name, time_text(life.changed_at), life.reason),
                         .advice = fmt::format("when its receiver wants events again: `smsrack "
                                               "webhook open {}`; else take it out of the "
                                               "configuration",
                                               name)});
    }
    if (life.state == State::failing) {
        found.push_back({.kind = ports::ConditionKind::webhook_failing,
                         .subject = subject,
                         .text = fmt::format("webhook {} fails since {}: {}; its events wait and "
                                             "are tried again",
                                             name, time_text(life.changed_at), life.reason),
                         .advice = fmt::format("`smsrack webhook test {}` says what is wrong; it "
                                               "ends with the first success",
                                               name),
                         .patience = failing_patience});
    }
    if (const std::string fault = webhook.gate_fault(); !fault.empty()) {
        found.push_back({.kind = ports::ConditionKind::webhook_unusable,
                         .subject = subject,
                         .text = fmt::format("webhook {} does not get its events: {}", name, fault),
                         .advice = fmt::format("`smsrack webhook test {}` says more; `systemctl "
                                               "status smsrack-gate`, and reload it once this is "
                                               "corrected",
                                               name)});
    }
    if (webhook.dead() > 0) {
        found.push_back(
            {.kind = ports::ConditionKind::webhook_dead,
             .subject = subject,
             .text = fmt::format("webhook {} could not deliver {} in time", name,
                                 events_text(static_cast<std::int64_t>(webhook.dead()))),
             .advice = fmt::format("`smsrack webhook show {0} --state dead` lists "
                                   "them, `smsrack webhook replay {0} --dead` sends "
                                   "them again",
                                   name)});
    }
    if (const ports::WebhookLoss& loss = webhook.loss(); loss.events > 0) {
        found.push_back(
            {.kind = ports::ConditionKind::webhook_lost,
             .subject = subject,
             .text = fmt::format("webhook {} has lost {} since {}: keep_days of [messages] removed "
                                 "them before they were sent",
                                 name, events_text(loss.events), time_text(*loss.since)),
             .advice = fmt::format("tell those who run its receiver; `smsrack webhook open {}` "
                                   "starts the count again",
                                   name)});
    }
    return found;
}

Webhooks::Webhooks(const std::vector<config::WebhookSettings>& settings, WebhookWorld world,
                   notify::EventStream& events, WebhookBoard& board)
    : world_(std::move(world)),
      events_(events),
      board_(board),
      self_(std::make_shared<Webhooks*>(this)) {
    WebhookWorld each = world_;
    each.changed = [this] { show(); };
    for (const config::WebhookSettings& one : settings) {
        webhooks_.push_back(std::make_shared<Webhook>(one, each));
    }
}

Webhooks::~Webhooks() {
    close();
}

void Webhooks::start() {
    (void)events_.subscribe(*this);
    listens_ = true;
    name_them();
}

void Webhooks::drain() {
    for (const auto& webhook : webhooks_) {
        webhook->drain();
    }
}

void Webhooks::close() {
    if (std::exchange(listens_, false)) {
        events_.unsubscribe(*this);
    }
    self_.reset();
    webhooks_.clear();
    board_.show({});
}

void Webhooks::events_wait() {
    for (const auto& webhook : webhooks_) {
        webhook->events_came();
    }
}

Webhook* Webhooks::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        webhooks_, [&](const auto& webhook) { return webhook->settings().name == name; });
    return found == webhooks_.end() ? nullptr : found->get();
}

void Webhooks::name_them() {
    name_at_ = never;
    ports::KeepWebhooks command{.at = world_.clock.wall()};
    for (const auto& webhook : webhooks_) {
        command.wishes.push_back(wish_of(webhook->settings()));
    }
    world_.store.post(std::move(command),
                      back_to<std::vector<ports::WebhookRow>>(
                          world_.loop, std::weak_ptr(self_),
                          [](Webhooks* self, Result<std::vector<ports::WebhookRow>> rows) {
                              const SteadyTime now = self->world_.clock.steady();
                              self->name_at_ =
                                  now + (rows ? SteadyTime::duration(name_every) : name_again);
                              self->world_.by(self->name_at_);
                              for (std::size_t i = 0; rows && i < rows->size(); ++i) {
                                  self->webhooks_.at(i)->begin(rows->at(i));
                              }
                              self->show();
                          }));
}

SteadyTime Webhooks::step(SteadyTime now) {
    if (now >= name_at_) {
        name_them();
    }
    SteadyTime deadline = name_at_;
    for (const auto& webhook : webhooks_) {
        deadline = std::min(deadline, webhook->step(now));
    }
    return deadline;
}

void Webhooks::show() {
    std::vector<ports::Condition> conditions;
    for (const auto& webhook : webhooks_) {
        auto of_one = conditions_of(*webhook);
        std::ranges::move(of_one, std::back_inserter(conditions));
    }
    board_.show(std::move(conditions));
}

}  // namespace smsrack::webhook
