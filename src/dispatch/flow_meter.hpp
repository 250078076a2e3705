/// How many messages come and go, and how long they take: what `status` shows beside the prediction.
///
/// Unit:    messages; T_recent(L) is the mean time from acceptance to the network over the recent ones of level L.
/// Threads: any; a short lock.
/// Source:  [NSB] T_recent(L), from real messages.
#pragma once

#include "src/base/clock.hpp"
#include "src/sms/level.hpp"
#include "src/stats/rate_window.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

namespace smsrack::dispatch {

class FlowMeter {
public:
    /// `clock` outlives the meter.
    explicit FlowMeter(const Clock& clock) : clock_(clock) {}

    void accepted(std::uint64_t messages);
    void sent(Level level, std::chrono::milliseconds took);

    [[nodiscard]] double rate_in() const;
    [[nodiscard]] double rate_out() const;
    /// Nothing before the first message of the level.
    [[nodiscard]] std::optional<std::int64_t> t_recent_ms(Level level) const;

private:
    static constexpr std::size_t recent_ =
        32;  // samples of a level: enough for a mean, few enough to follow a change
    struct Recent {
        std::array<std::int64_t, recent_> took_ms = {};
        std::size_t count = 0;  // ever
    };

    const Clock& clock_;
    mutable std::mutex mutex_;  // guards all below
    mutable stats::RateWindow in_;
    mutable stats::RateWindow out_;
    std::array<Recent, level_count> levels_ = {};
};

}  // namespace smsrack::dispatch
