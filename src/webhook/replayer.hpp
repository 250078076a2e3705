/// One replay: dead events, one event, or the events in a period wait again, in bounded steps.
///
/// Only what the webhook wants is sent, and only events that it has passed: later ones come by
/// themselves. A kill in the middle leaves the steps that were made.
/// Threads: the loop thread; it lasts until it has answered.
/// Errors:  not_found: no such event, or the webhook does not want it; storage.
#pragma once

#include "src/base/result.hpp"
#include "src/sms/event_filter.hpp"
#include "src/webhook/exchange.hpp"
#include "src/webhook/world.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace smsrack::webhook {

class Replayer final : public std::enable_shared_from_this<Replayer> {
public:
    static constexpr std::size_t step_rows = 200;
    static constexpr std::size_t step_bytes = 512UL * 1024;
    using Done = std::move_only_function<void(Result<std::size_t>)>;  ///< how many wait again

    struct Plan {
        ports::WebhookId webhook = {};
        EventSeq passed = {};  ///< the last event that it has passed
        bool text = true;
        ReplayWish wish = {};
    };
    Replayer(const WebhookWorld& world, EventFilter filter, Plan plan, Done done);
    void start();

private:
    template <typename T, typename Then>
    [[nodiscard]] ports::Done<T> back(Then then) {
        // It keeps itself: no one else does.
        return [&loop = world_.loop, self = shared_from_this(),
                then = std::move(then)](Result<T> result) mutable {
            loop.post([self = std::move(self), then = std::move(then),
                       result = std::move(result)]() mutable { then(*self, std::move(result)); });
        };
    }
    void revive();
    void find_range();
    void read_on();
    void keep(Wanted wanted);

    const WebhookWorld world_;
    const EventFilter filter_;
    const Plan plan_;
    Done done_;
    std::size_t count_ = 0;
    EventSeq place_ = {};
    EventSeq until_ = {};
};

}  // namespace smsrack::webhook
