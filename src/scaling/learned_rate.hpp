/// F, learned: messages that a line sent for each second in which it had one in flight.
///
/// Unit:    messages a second of one busy line; 0 until enough were sent.
/// Threads: one at a time.
/// Source:  [Elastic] F.
#pragma once

#include "src/base/members.hpp"

#include <algorithm>

namespace smsrack::scaling {

/// As one run of the service leaves it to the next.
struct RateCarried {
    double rate = 0;
    double messages = 0;
    double seconds = 0;
    SMSRACK_MEMBERS(rate, messages, seconds);
};

class LearnedRate {
public:
    static constexpr double enough = 20;   ///< messages, before the rate is taken for true
    static constexpr double least = 1e-4;  ///< a line that sends less than one in three hours

    /// Of one sample: messages that were sent, and seconds that lines were busy, all together.
    void add(double messages, double seconds) {
        carried_.messages = carried_.messages * forget + messages;
        carried_.seconds = carried_.seconds * forget + seconds;
        if (carried_.messages >= enough && carried_.seconds > 0) {
            carried_.rate = std::max(least, carried_.messages / carried_.seconds);
        }
    }

    [[nodiscard]] double rate() const { return carried_.rate; }

    [[nodiscard]] RateCarried carried() const { return carried_; }
    void adopt(const RateCarried& left) {
        carried_ = {.rate = std::max(0.0, left.rate),
                    .messages = std::max(0.0, left.messages),
                    .seconds = std::max(0.0, left.seconds)};
    }

private:
    static constexpr double forget = 0.99;  // with each sample: the last hour counts

    RateCarried carried_ = {};
};

}  // namespace smsrack::scaling
