/// Simulates M/M/c: random arrivals and services through a FifoQueue, with the confidence of its
/// means.
///
/// Unit:    seconds; an error is a standard error, from the means of batches, since waits that follow each other are alike.
#pragma once

#include "src/base/random.hpp"
#include "src/model/mmc.hpp"

#include <cstdint>

namespace smsrack::model {

struct Estimate {
    double mean = 0;
    double error = 0;

    /// Within three standard errors.
    [[nodiscard]] bool agrees(double value) const {
        return value >= mean - 3 * error && value <= mean + 3 * error;
    }
};

struct MmcRun {
    Estimate wq = {};
    Estimate ws = {};
    Estimate p_wait = {};
};

/// `load` is one that mmc() takes; what comes in the first tenth is not counted, since the queue begins empty.
[[nodiscard]] MmcRun run_mmc(const MmcLoad& load, std::uint64_t arrivals, Random& random);

}  // namespace smsrack::model
