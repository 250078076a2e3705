#include "src/webhook/standing.hpp"

#include "src/webhook/retry.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::webhook {

void Standing::begin(const ports::WebhookRow& row) {
    life_ = row.life;
    if (row.paused_until) {
        paused_until_ = clock_.steady() + std::min<SteadyTime::duration>(
                                              *row.paused_until - clock_.wall(), retry_after_max);
    }
}

bool Standing::take_over(ports::WebhookLife life) {
    const bool changed = life.state != life_.state;
    life_ = std::move(life);
    if (changed && fails()) {
        tried_fresh();
    }
    return changed;
}

void Standing::pause(std::chrono::seconds time) {
    paused_until_ = std::max(paused_until_, clock_.steady() + time);
}

void Standing::end_pauses() {
    paused_until_ = {};
    fresh_at_ = {};
}

void Standing::tried_fresh() {
    fresh_at_ = clock_.steady() + jittered(fresh_pause, random_);
}

std::chrono::milliseconds Standing::pause_left() const {
    return std::chrono::ceil<std::chrono::milliseconds>(
        std::max(SteadyTime::duration::zero(), paused_until_ - clock_.steady()));
}

std::optional<WallTime> Standing::pause_end() const {
    const auto left = pause_left();
    return left.count() > 0 ? std::optional(clock_.wall() + left) : std::nullopt;
}

}  // namespace smsrack::webhook
