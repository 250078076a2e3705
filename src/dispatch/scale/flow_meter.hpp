/// How many messages come and go, and how long they take: what `status` shows next to the prediction,
/// and what overload protection judges by.
///
/// Unit:    messages; T_recent(L) is the mean time from acceptance to the network over the recent ones of level L.
/// Threads: any; a short lock.
/// Source:  [NSB] T_recent(L), from real messages.
#pragma once

#include "src/base/clock.hpp"
#include "src/overload/response_model.hpp"
#include "src/ports/rack_view.hpp"
#include "src/sms/level.hpp"
#include "src/sms/message.hpp"
#include "src/stats/dispersion.hpp"
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
    explicit FlowMeter(const Clock& clock);

    void accepted(std::uint64_t messages);
    /// The network has all of the message, `took` after its acceptance. `was_held`: a person's pause is in that time.
    void sent(const OutMessage& message, std::chrono::milliseconds took, bool was_held);
    /// A line of the group was occupied by one submit that was answered.
    void served(GroupId group, std::chrono::nanoseconds occupied, bool sent) {
        responses_.served(group, occupied, sent);
    }

    struct Totals {
        std::uint64_t accepted = 0;
        std::uint64_t sent = 0;
    };
    /// Since start.
    [[nodiscard]] Totals totals() const;
    [[nodiscard]] double rate_in() const;
    [[nodiscard]] double rate_out() const;
    /// Over the last ten minutes, by messages as they begin to wait for a line.
    [[nodiscard]] ports::Arrivals arrivals() const;
    /// Nothing before the first message of the level.
    [[nodiscard]] std::optional<std::int64_t> t_recent_ms(Level level) const;
    /// Over the recent messages of all levels; nothing before the first.
    [[nodiscard]] std::optional<ports::MeasuredWaits> waits() const;
    [[nodiscard]] overload::ResponseModel& responses() { return responses_; }

private:
    // samples of a level: enough for a mean, few enough to follow a change
    static constexpr std::size_t recent_max = 32;
    struct Recent {
        std::array<std::int64_t, recent_max> took_ms = {};
        std::size_t count = 0;  // ever
    };

    struct Wait {
        double whole_s = 0;
        double served_s = 0;
    };

    const Clock& clock_;
    overload::ResponseModel responses_;
    mutable std::mutex mutex_;  // guards all below
    mutable stats::RateWindow in_;
    mutable stats::RateWindow out_;
    mutable stats::DispersionWindow spread_;  // of what comes in
    std::array<Recent, level_count> levels_ = {};
    overload::RecentSamples<Wait, 512> waits_ = {};  // a mean wait within a tenth, at half load
    Totals totals_ = {};
};

}  // namespace smsrack::dispatch
