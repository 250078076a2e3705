/// What is counted of one webhook since the start, for people and for the metrics.
///
/// Threads: the loop thread.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace smsrack::webhook {

class Numbers {
public:
    /// Upper bounds of the histogram's buckets.
    static constexpr std::array<std::chrono::milliseconds, 12> bounds{
        std::chrono::milliseconds(10),     std::chrono::milliseconds(25),
        std::chrono::milliseconds(50),     std::chrono::milliseconds(100),
        std::chrono::milliseconds(250),    std::chrono::milliseconds(500),
        std::chrono::milliseconds(1'000),  std::chrono::milliseconds(2'500),
        std::chrono::milliseconds(5'000),  std::chrono::milliseconds(10'000),
        std::chrono::milliseconds(30'000), std::chrono::milliseconds(60'000)};

    std::uint64_t delivered = 0;
    std::uint64_t failed = 0;                                   ///< attempts
    std::uint64_t dead = 0;                                     ///< events
    std::optional<int> last_status = {};                        ///< 0: there was no answer
    std::array<std::uint64_t, bounds.size() + 1> buckets = {};  ///< each by itself
    std::chrono::milliseconds sum{0};

    void attempt(int status, std::chrono::milliseconds took) {
        last_status = status;
        sum += took;
        const auto* const bound = std::ranges::lower_bound(bounds, took);
        ++buckets.at(static_cast<std::size_t>(bound - bounds.begin()));
        if (recent_.size() < recent_max) {
            recent_.push_back(took);
        } else {
            recent_[next_] = took;
        }
        next_ = (next_ + 1) % recent_max;
    }

    /// Of the recent attempts: `percent` of them took no longer; nullopt if there was none.
    [[nodiscard]] std::optional<std::chrono::milliseconds> quantile(std::size_t percent) const {
        if (recent_.empty()) {
            return std::nullopt;
        }
        auto sorted = recent_;
        std::ranges::sort(sorted);
        return sorted[(sorted.size() - 1) * percent / 100];
    }

private:
    static constexpr std::size_t recent_max = 500;
    std::vector<std::chrono::milliseconds> recent_;
    std::size_t next_ = 0;
};

}  // namespace smsrack::webhook
