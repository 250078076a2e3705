/// What a webhook may do now: its state, the pause that its receiver asked for, and when something may be
/// tried that never was.
///
/// Time:    pauses are steady time; setting the date changes none.
/// Threads: the loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/random.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/webhook/life.hpp"

#include <chrono>
#include <optional>

namespace smsrack::webhook {

class Standing {
public:
    /// While the webhook fails, events that were never tried are tried this far apart: else each
    /// event of a long backlog would become a row of its own.
    static constexpr std::chrono::seconds fresh_pause{5};

    /// Both outlive the object.
    Standing(const Clock& clock, Random& random) : clock_(clock), random_(random) {}

    /// As its row has it.
    void begin(const ports::WebhookRow& row);
    /// True: the state is another one.
    [[nodiscard]] bool take_over(ports::WebhookLife life);
    /// Nothing may be sent for so long.
    void pause(std::chrono::seconds time);
    /// An operator has switched it on: no pause lasts.
    void end_pauses();
    /// Something was tried that never was, while it fails.
    void tried_fresh();

    [[nodiscard]] const ports::WebhookLife& life() const { return life_; }
    [[nodiscard]] bool fails() const { return life_.state == State::failing; }
    [[nodiscard]] bool is_off() const { return life_.state == State::off; }
    [[nodiscard]] bool is_paused(SteadyTime now) const { return now < paused_until_; }
    [[nodiscard]] bool may_try_fresh(SteadyTime now) const { return !fails() || now >= fresh_at_; }

    [[nodiscard]] SteadyTime paused_until() const { return paused_until_; }
    [[nodiscard]] SteadyTime fresh_at() const { return fresh_at_; }
    /// What is left of the pause.
    [[nodiscard]] std::chrono::milliseconds pause_left() const;
    /// For its row; nullopt: there is no pause.
    [[nodiscard]] std::optional<WallTime> pause_end() const;

private:
    const Clock& clock_;
    Random& random_;
    ports::WebhookLife life_ = {};
    SteadyTime paused_until_ = {};
    SteadyTime fresh_at_ = {};
};

}  // namespace smsrack::webhook
