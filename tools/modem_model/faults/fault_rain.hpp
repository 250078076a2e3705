/// Random faults over a whole rack: which, where, when, and when lasting ones end again.
///
/// A modem has at most one fault that lasts, so that each end is the end of its own.
/// Unit:    `per_hour` faults of each modem, on average; a fault lasts 1 s to 4 times `lasting`.
/// Time:    the same seed gives the same faults at the same times after `start`.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/random.hpp"
#include "tools/modem_model/faults/fault.hpp"

#include <chrono>
#include <map>
#include <vector>

namespace smsrack::modem_sim {

struct RainSettings {
    unsigned modems = 1;
    double per_hour = 0;  ///< 0: never
    std::chrono::seconds lasting = std::chrono::seconds(20);
    std::vector<FaultKind> kinds = {};  ///< empty: all that have a weight
};

struct TimedFault {
    unsigned modem = 0;
    Fault fault = {};
};

class FaultRain {
public:
    /// `random` outlives it.
    FaultRain(RainSettings settings, Random& random, SteadyTime start);

    [[nodiscard]] SteadyTime due() const;
    /// Nothing more comes, no end either.
    void stop() {
        next_ = never;
        ends_.clear();
    }
    /// The first that is due, which there must be.
    [[nodiscard]] TimedFault take();

private:
    void plan_next(SteadyTime after);
    [[nodiscard]] const FaultRow& draw();

    RainSettings settings_;
    Random& random_;
    std::vector<FaultKind> kinds_;
    unsigned weights_ = 0;  // of all kinds_
    SteadyTime next_ = never;
    std::multimap<SteadyTime, TimedFault> ends_;
    std::vector<bool> lasting_;  // by modem: it has a fault that has not ended
};

}  // namespace smsrack::modem_sim
