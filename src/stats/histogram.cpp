#include "src/stats/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace smsrack::stats {
namespace {

using std::chrono::microseconds;

constexpr BucketBounds seconds(const std::array<std::int64_t, bucket_count>& bounds) {
    BucketBounds result{};
    for (std::size_t i = 0; i < bucket_count; ++i) {
        result.at(i) = std::chrono::seconds(bounds.at(i));
    }
    return result;
}

constexpr BucketBounds micros(const std::array<std::int64_t, bucket_count>& bounds) {
    BucketBounds result{};
    for (std::size_t i = 0; i < bucket_count; ++i) {
        result.at(i) = microseconds(bounds.at(i));
    }
    return result;
}

// A real submit takes 5 to 14 s and is given up after 120; the disk and the API are judged around 1
// to 25 ms.
constexpr BucketBounds send_bounds = seconds({1, 2, 3, 5, 8, 13, 20, 30, 45, 60, 90, 120});
constexpr BucketBounds quick_bounds = micros({250, 500, 1'000, 2'500, 5'000, 10'000, 25'000, 50'000,
                                              100'000, 250'000, 1'000'000, 5'000'000});

constexpr std::array<TimingInfo, timing_count> timings{
    TimingInfo{Timing::send, "smsrack_send_duration_seconds",
               "From the begin of a submit to the modem's answer.", send_bounds},
    TimingInfo{Timing::commit, "smsrack_db_commit_seconds",
               "Length of a transaction with its commit.", quick_bounds},
    TimingInfo{Timing::intake, "smsrack_intake_duration_seconds",
               "From a whole request for a message to its durable answer.", quick_bounds},
    TimingInfo{Timing::self_sms, "smsrack_self_sms_seconds",
               "From the acceptance of a self-SMS to its arrival at a SIM of the rack.",
               send_bounds},
};

}  // namespace

const std::array<TimingInfo, timing_count>& timing_table() {
    return timings;
}

void Histogram::observe(std::chrono::nanoseconds took) noexcept {
    const auto place = std::ranges::lower_bound(bounds_, took);
    counts_[static_cast<std::size_t>(place - bounds_.begin())].fetch_add(1,
                                                                         std::memory_order_relaxed);
    sum_ns_.fetch_add(static_cast<std::uint64_t>(std::max<std::int64_t>(took.count(), 0)),
                      std::memory_order_relaxed);
}

Histogram::Snapshot Histogram::snapshot() const {
    Snapshot result;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        result.counts[i] = counts_[i].load(std::memory_order_relaxed);
        result.total += result.counts[i];
    }
    result.sum = std::chrono::nanoseconds(sum_ns_.load(std::memory_order_relaxed));
    return result;
}

}  // namespace smsrack::stats
