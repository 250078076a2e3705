/// What a webhook works with.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/base/random.hpp"
#include "src/notify/event_stream.hpp"
#include "src/ports/question.hpp"
#include "src/ports/store_reader.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/webhook/wanted.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace smsrack::webhook {

/// All outlive the webhooks.
struct WebhookWorld {
    ports::WebhookStore& store;
    ports::QuestionPort<ports::StoreReader>& log;
    const notify::EventStream& stream;
    Executor& loop;
    const Clock& clock;
    Random& random;
    BuildDelivery build;
    std::function<void(SteadyTime)> by = {};  ///< a step is wanted at this time
    std::function<void()> changed = {};       ///< a state, or how many are dead
};

/// A completion for any thread that runs `then(self, result)` on the loop's, if `self` is still
/// there.
template <typename T, typename Self, typename Then>
[[nodiscard]] ports::Done<T> back_to(Executor& loop, std::weak_ptr<Self> self, Then then) {
    return [&loop, self = std::move(self), then = std::move(then)](Result<T> result) mutable {
        loop.post(
            [self = std::move(self), then = std::move(then), result = std::move(result)]() mutable {
                if (const auto alive = self.lock()) {
                    then(*alive, std::move(result));
                }
            });
    };
}

}  // namespace smsrack::webhook
