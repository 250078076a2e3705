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
#include "src/sms/event_filter.hpp"
#include "src/webhook/exchange.hpp"
#include "src/webhook/gate_contact.hpp"
#include "src/webhook/life.hpp"
#include "src/webhook/meter.hpp"
#include "src/webhook/numbers.hpp"
#include "src/webhook/test_desk.hpp"
#include "src/webhook/wanted.hpp"
#include "src/webhook/window.hpp"
#include "src/webhook/world.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::webhook {

class Webhook final : public std::enable_shared_from_this<Webhook> {
public:
    static constexpr std::chrono::seconds take_max{20};
    /// While the webhook fails, events that were never tried are tried this far apart: else each
    /// event of a long backlog would become a row of its own.
    static constexpr std::chrono::seconds fresh_pause{5};
    static constexpr std::size_t window_rows = 64;
    static constexpr std::size_t window_bytes = 128UL * 1024;
    static constexpr std::size_t body_max = 20UL * 1024;  ///< octets of one delivery

    Webhook(config::WebhookSettings settings, WebhookWorld world);

    /// Its row, as the store has it. Until then it gives nothing.
    void begin(const ports::WebhookRow& row);
    /// There may be new events.
    void events_came();

    /// A newer take ends the one before.
    void take(Take take);
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
    [[nodiscard]] const ports::WebhookLife& life() const { return life_; }
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

    [[nodiscard]] bool fails() const { return life_.state == State::failing; }
    [[nodiscard]] bool is_off() const { return life_.state == State::off; }
    [[nodiscard]] bool may_try_fresh(SteadyTime now) const { return !fails() || now >= fresh_at_; }

    void pump();
    void load();
    [[nodiscard]] bool has_enough() const;
    void read_due();
    void fetch();
    void stage(Wanted wanted);
    void stumbled();
    void answer_take(SteadyTime now);
    [[nodiscard]] std::vector<ports::Delivery> give(SteadyTime now);
    void decide(const std::vector<AttemptResult>& results, const std::vector<EventSeq>& adopted,
                std::move_only_function<void(Result<>)> done);
    void judge(const AttemptResult& result, const ports::Delivery& delivery,
               ports::EndAttempts& command);
    void ended(const ports::EndAttempts& command, const Result<std::vector<EventSeq>>& kept);
    void take_over(ports::WebhookLife life);
    void undo(const ports::WebhookLife& taken, ports::WebhookLife before);
    void order_changed();
    void outdate();
    void watch_clock();
    void watch_gate();
    [[nodiscard]] std::optional<WallTime> pause_end() const;
    void recount();
    [[nodiscard]] SteadyTime next_deadline() const;

    const config::WebhookSettings settings_;
    const WebhookWorld world_;
    const EventFilter filter_;
    std::optional<ports::WebhookId> id_ = {};
    ports::WebhookLife life_ = {};
    Window window_ = {};
    TestDesk tests_ = {};
    Numbers numbers_ = {};
    std::size_t dead_ = 0;
    ports::WebhookLoss loss_ = {};

    EventSeq looked_at_ = {};  // each event up to here is staged, or not wanted
    EventSeq cursor_ = {};     // of the store
    bool behind_ = true;       // there may be events after looked_at_
    bool news_ = false;        // more came while the log was read
    bool maybe_due_ = true;    // the store may have rows that are due and not in the window
    std::optional<WallTime> next_due_ = {};
    bool busy_ = false;             // log or store is asked for more
    std::uint64_t order_ = 0;       // what was read before a change of it is not used
    SteadyTime rest_until_ = {};    // after an error of the store
    SteadyTime paused_until_ = {};  // the receiver asked for it
    SteadyTime due_read_at_ = {};
    std::optional<std::chrono::milliseconds> clock_began_ = {};  // date of the steady clock's zero
    SteadyTime fresh_at_ = {};
    SteadyTime free_at_ = never;  // what did not reach the gate is free
    std::optional<Take> take_ = {};
    State take_saw_ = State::open;  // state when the take came
    bool draining_ = false;
    SteadyTime take_until_ = {};
    GateContact gate_ = {};
    std::string gate_fault_ = {};  // as the conditions have it
    bool replays_ = false;
    const std::shared_ptr<Meter> meter_;
};

}  // namespace smsrack::webhook
