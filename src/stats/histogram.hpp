/// Histograms of durations, in fixed buckets: enough for quantiles over any period, at the cost of
/// one addition each.
///
/// Unit:    durations go in, seconds come out (metrics_text).
/// Threads: observe() by any; a reader may see a bucket before the sum of the same observation.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace smsrack::stats {

enum class Timing : std::uint8_t {
    send,      ///< a segment: from the attempt to the modem's answer
    commit,    ///< a transaction of the store
    intake,    ///< from a request's last octet to its answer
    self_sms,  ///< from acceptance to the arrival at another SIM of the rack
    how_many,  ///< not a timing: how many there are
};
inline constexpr std::size_t timing_count = std::to_underlying(Timing::how_many);

/// And one more for what is longer than the last bound.
inline constexpr std::size_t bucket_count = 12;
using BucketBounds = std::array<std::chrono::microseconds, bucket_count>;

struct TimingInfo {
    Timing timing;
    std::string_view name;
    std::string_view help;
    BucketBounds bounds;  ///< rising; a bucket holds what is at most its bound
};

[[nodiscard]] const std::array<TimingInfo, timing_count>& timing_table();

class Histogram {
public:
    explicit Histogram(const BucketBounds& bounds) : bounds_(bounds) {}

    void observe(std::chrono::nanoseconds took) noexcept;

    struct Snapshot {
        /// Each by itself, not cumulative.
        std::array<std::uint64_t, bucket_count + 1> counts = {};
        std::uint64_t total = 0;
        std::chrono::nanoseconds sum{0};
    };
    [[nodiscard]] Snapshot snapshot() const;

private:
    const BucketBounds& bounds_;
    std::array<std::atomic<std::uint64_t>, bucket_count + 1> counts_{};
    std::atomic<std::uint64_t> sum_ns_{0};
};

}  // namespace smsrack::stats
