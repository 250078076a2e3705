/// Pauses that grow: the first, twice that, ... up to the last.
#pragma once

#include <algorithm>
#include <chrono>

namespace smsrack::gsm {

class Backoff {
public:
    constexpr Backoff(std::chrono::milliseconds first, std::chrono::milliseconds last)
        : first_(first), last_(last), next_(first) {}

    /// The pause before the next try.
    constexpr std::chrono::milliseconds take() {
        const auto pause = next_;
        next_ = std::min(next_ * 2, last_);
        return pause;
    }
    constexpr void reset() { next_ = first_; }

private:
    std::chrono::milliseconds first_;
    std::chrono::milliseconds last_;
    std::chrono::milliseconds next_;
};

}  // namespace smsrack::gsm
