/// The rate of an account: messages a second, those of one second at once.
///
/// Source:  a token bucket; RFC 2697 2
#pragma once

#include "src/base/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace smsrack::smpp {

class Rate {
public:
    /// `rate`: a second; 0: no bound.
    explicit Rate(std::uint32_t rate) : rate_(rate), tokens_(rate) {}

    /// False: too many.
    [[nodiscard]] bool take(SteadyTime now) {
        if (rate_ == 0) {
            return true;
        }
        const double passed = std::chrono::duration<double>(now - filled_at_).count();
        tokens_ = std::min<double>(rate_, tokens_ + std::max(passed, 0.0) * rate_);
        filled_at_ = now;
        if (tokens_ < 1) {
            return false;
        }
        tokens_ -= 1;
        return true;
    }

private:
    std::uint32_t rate_;
    double tokens_;
    SteadyTime filled_at_ = {};
};

}  // namespace smsrack::smpp
