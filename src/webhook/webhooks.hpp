/// All webhooks of the configuration: their rows, the events that wake them, their deadlines, and
/// what is wrong with them.
///
/// Without a [[webhook]] there is no such object.
/// Threads: the loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/config/webhook_settings.hpp"
#include "src/notify/event_stream.hpp"
#include "src/ports/condition.hpp"
#include "src/webhook/board.hpp"
#include "src/webhook/webhook.hpp"
#include "src/webhook/world.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace smsrack::webhook {

class Webhooks final : public notify::EventSubscriber {
public:
    /// The rows are named again this often, so that the store knows which are in use. What is dead or
    /// lost is counted again then.
    static constexpr std::chrono::hours name_every{1};
    static constexpr std::chrono::seconds name_again{5};  ///< after an error of the store

    /// `world.changed` is this object's own. All else outlives it.
    Webhooks(const std::vector<config::WebhookSettings>& settings, WebhookWorld world,
             notify::EventStream& events, WebhookBoard& board);
    ~Webhooks() override;
    Webhooks(const Webhooks&) = delete;
    Webhooks& operator=(const Webhooks&) = delete;

    /// Names the webhooks to the store, and resumes where they were.
    void start();
    /// The service stops: who waits is answered now.
    void drain();
    /// The service ends: no more calls of the store.
    void close();

    void events_wait() override;
    /// Null: there is none of this name.
    [[nodiscard]] Webhook* find(std::string_view name) const;
    [[nodiscard]] const std::vector<std::shared_ptr<Webhook>>& all() const { return webhooks_; }

    /// Does what is due. Gives the next deadline.
    SteadyTime step(SteadyTime now);

private:
    void name_them();
    void show();

    const WebhookWorld world_;
    notify::EventStream& events_;
    WebhookBoard& board_;
    std::vector<std::shared_ptr<Webhook>> webhooks_;
    std::shared_ptr<Webhooks*> self_;  // for what comes back later
    SteadyTime name_at_ = never;
    bool listens_ = false;
};

/// What is wrong with one: off, failing, a gate that does not send, events that are dead or lost.
[[nodiscard]] std::vector<ports::Condition> conditions_of(const Webhook& webhook);

}  // namespace smsrack::webhook
