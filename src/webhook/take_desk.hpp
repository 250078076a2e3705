/// The call in which a gate waits for something to send: one at a time, answered when there is
/// something to say, or after take_max.
///
/// Time:    steady time, given with each call.
/// Threads: the loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/webhook/exchange.hpp"

#include <chrono>
#include <cstddef>
#include <optional>

namespace smsrack::webhook {

class TakeDesk {
public:
    static constexpr std::chrono::seconds take_max{20};

    /// Ends the one before. `state`: of the webhook, whose change is worth an answer.
    void open(Take take, ports::WebhookState state, SteadyTime now);
    /// A gate waits. One that was killed does no more.
    [[nodiscard]] bool is_open();
    /// Deliveries that it has room for.
    [[nodiscard]] std::size_t room() const { return take_ ? take_->room : 0; }
    /// Answers, where there is something in `answer`, the state has changed, or the time is over.
    /// True: it did.
    bool answer(TakeAnswer answer, SteadyTime now);
    /// The service stops: what waits is answered with the next answer().
    void drain() { draining_ = true; }
    [[nodiscard]] bool drains() const { return draining_; }

    /// When the time is over; never: none waits.
    [[nodiscard]] SteadyTime deadline() const { return take_ ? until_ : never; }

private:
    std::optional<Take> take_ = {};
    ports::WebhookState saw_ = ports::WebhookState::open;
    SteadyTime until_ = {};
    bool draining_ = false;
};

}  // namespace smsrack::webhook
