/// One webhook: what its receiver must get is read from the event log, staged in the store, and
/// given to the gate, which sends it; the gate's results decide what follows.
///
/// The store has the truth (src/ports/webhook_store). In memory are a window of what may be sent
/// now, and what the gate has; so memory does not grow with the backlog, and a kill at any moment
/// loses nothing. An event that was given is given again if its result does not come.
/// Bound:   some hundred deliveries and 20 KiB of each.
/// Threads: the loop thread.
/// Errors:  as ports::WebhookStore; see the calls.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/config/webhook_settings.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/webhook/clock_watch.hpp"
#include "src/webhook/exchange.hpp"
#include "src/webhook/gate_contact.hpp"
#include "src/webhook/meter.hpp"
#include "src/webhook/numbers.hpp"
#include "src/webhook/standing.hpp"
#include "src/webhook/supply.hpp"
#include "src/webhook/take_desk.hpp"
#include "src/webhook/test_desk.hpp"
#include "src/webhook/window.hpp"
#include "src/webhook/world.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::webhook {

class Webhook final : public std::enable_shared_from_this<Webhook> {
public:
    Webhook(config::WebhookSettings settings, WebhookWorld world);
    ~Webhook() = default;
    Webhook(const Webhook&) = delete;
    Webhook& operator=(const Webhook&) = delete;

    /// Its row, as the store has it. Until then it gives nothing.
    void begin(const ports::WebhookRow& row);
    /// There may be new events.
    void events_came();

    /// A newer take ends the one before.
    void take(Take take);
    /// A gate asked that has read other settings; it was answered so.
    void misread() { gate_.misread(world_.clock.steady()); }
    /// Errors: storage: nothing of them was kept.
    void results(std::vector<AttemptResult> results, std::move_only_function<void(Result<>)> done);

    /// Errors: overloaded: several tests are under way.
    [[nodiscard]] Result<> test(TestDesk::Done done);
    void test_result(std::string_view id, TestReport report) { tests_.end(id, std::move(report)); }

    /// switched_on, switched_off.
    /// Errors:  storage.
    void switch_to(Happened order, std::move_only_function<void(Result<>)> done);
    /// How many are sent again.
    /// Errors:  not_found: no such event, or the webhook does not want it; conflict: another replay
    ///          is under way; storage.
    void replay(ReplayWish wish, std::move_only_function<void(Result<std::size_t>)> done);

    /// Counts what waits; nothing as long as the store has not given its row.
    /// Errors:  storage.
    void measure(Meter::Done done);

    [[nodiscard]] const config::WebhookSettings& settings() const { return settings_; }
    [[nodiscard]] ports::WebhookStore& store() const { return world_.store; }
    [[nodiscard]] const ports::WebhookLife& life() const { return standing_.life(); }
    [[nodiscard]] const Numbers& numbers() const { return numbers_; }
    // -- as of the last look
    [[nodiscard]] std::size_t dead() const { return dead_; }
    [[nodiscard]] const ports::WebhookLoss& loss() const { return loss_; }
    /// nullopt: the store has not answered yet.
    [[nodiscard]] std::optional<ports::WebhookId> id() const { return id_; }
    /// Why the gate sends nothing, in words; empty: it works, or the webhook is off.
    [[nodiscard]] std::string gate_fault() const;

    /// The service stops: who waits for something to send, or for a test, is answered now.
    void drain();

    /// Does what is due. Gives the next deadline.
    SteadyTime step(SteadyTime now);

private:
    template <typename T, typename Then>
    [[nodiscard]] ports::Done<T> back(Then then) {
        return back_to<T>(world_.loop, weak_from_this(), std::move(then));
    }

    void pump();
    void answer_take(SteadyTime now);
    [[nodiscard]] std::vector<ports::Delivery> give(SteadyTime now);
    [[nodiscard]] std::size_t parallel() const;
    void decide(const std::vector<AttemptResult>& results, const std::vector<EventSeq>& adopted,
                std::move_only_function<void(Result<>)> done);
    void ended(const ports::EndAttempts& command, const Result<std::vector<EventSeq>>& kept);
    void count(const ports::EndAttempts::End& end);
    void take_over(ports::WebhookLife life);
    void take_over(const Measured& measured);
    void undo(const ports::WebhookLife& taken, ports::WebhookLife before);
    void watch_gate();
    void recount();
    [[nodiscard]] SteadyTime next_deadline() const;

    const config::WebhookSettings settings_;
    const WebhookWorld world_;
    std::optional<ports::WebhookId> id_ = {};
    Standing standing_;
    Window window_ = {};
    const std::shared_ptr<Supply> supply_;  // of window_
    ClockWatch clock_ = {};
    TakeDesk takes_ = {};
    GateContact gate_ = {};
    std::string gate_fault_ = {};  // as the conditions have it
    SteadyTime free_at_ = never;   // what did not reach the gate is free
    TestDesk tests_ = {};
    bool replays_ = false;
    Numbers numbers_ = {};
    std::size_t dead_ = 0;
    ports::WebhookLoss loss_ = {};
    const std::shared_ptr<Meter> meter_;
};

}  // namespace smsrack::webhook
