/// Counts what waits for a webhook and what is dead, for those who look at it.
///
/// Bound:   counts up to counted_max, and asks the store once in two seconds, however many look.
/// Threads: the loop thread.
/// Errors:  storage.
#pragma once

#include "src/base/result.hpp"
#include "src/sms/event_filter.hpp"
#include "src/webhook/world.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace smsrack::webhook {

struct Measured {
    std::size_t waiting = 0;  ///< rows that wait, and events that are wanted and have none yet
    std::size_t dead = 0;
    std::optional<WallTime> oldest = {};  ///< event that waits
    ports::WebhookLoss loss = {};
};
inline constexpr std::size_t counted_max = 10'000;

class Meter final : public std::enable_shared_from_this<Meter> {
public:
    static constexpr std::chrono::seconds fresh_for{2};
    using Done = std::move_only_function<void(Result<Measured>)>;

    Meter(const WebhookWorld& world, EventFilter filter)
        : world_(world), filter_(std::move(filter)) {}

    /// `passed`: the events that have a row, or are not wanted.
    void measure(ports::WebhookId webhook, EventSeq passed, Done done);
    /// What was measured before does not hold any more.
    void outdated() {
        at_ = {};
        ++changes_;
    }

private:
    void count_rows(ports::WebhookId webhook, EventSeq passed);
    void count_log(ports::WebhookId webhook, EventSeq passed, const ports::DeliveryCounts& rows,
                   std::uint64_t changes);
    void answer(const Result<Measured>& measured);

    const WebhookWorld world_;
    const EventFilter filter_;
    std::optional<Measured> last_ = {};
    SteadyTime at_ = {};
    std::uint64_t changes_ = 0;  // outdated() was called so often
    std::vector<Done> asking_ = {};
};

}  // namespace smsrack::webhook
