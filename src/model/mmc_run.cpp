#include "src/model/mmc_run.hpp"

#include "src/model/fifo_queue.hpp"

#include <algorithm>
#include <cmath>

namespace smsrack::model {
namespace {

constexpr std::uint64_t batches = 100;  // enough for an error, few enough that each is long

/// Means of batches, one after the other.
class BatchMeans {
public:
    void add(double value) { sum_ += value; }
    void end_batch(double size) {
        const double mean = sum_ / size;
        means_ += mean;
        squares_ += mean * mean;
        ++count_;
        sum_ = 0;
    }
    [[nodiscard]] Estimate estimate() const {
        const double mean = means_ / count_;
        const double variance = std::max(0.0, squares_ / count_ - mean * mean);
        return {.mean = mean, .error = std::sqrt(variance / (count_ - 1))};
    }

private:
    double sum_ = 0;
    double means_ = 0;
    double squares_ = 0;
    double count_ = 0;
};

double exponential(double rate, Random& random) {
    const double even = static_cast<double>(random.next() >> 11U) * 0x1p-53;
    return -std::log1p(-even) / rate;
}

}  // namespace

MmcRun run_mmc(const MmcLoad& load, std::uint64_t arrivals, Random& random) {
    FifoQueue queue(load.servers);
    const std::uint64_t size = std::max<std::uint64_t>(1, arrivals * 9 / 10 / batches);
    const std::uint64_t counted = size * batches;
    const std::uint64_t before = std::max(arrivals, counted) - counted;
    BatchMeans wq;
    BatchMeans ws;
    BatchMeans waited;
    double now = 0;
    for (std::uint64_t i = 0; i < before + counted; ++i) {
        now += exponential(load.lambda, random);
        const double service = exponential(load.mu, random);
        const double wait = queue.arrive(now, service);
        if (i < before) {
            continue;
        }
        wq.add(wait);
        ws.add(wait + service);
        waited.add(wait > 0 ? 1 : 0);
        if ((i - before + 1) % size == 0) {
            wq.end_batch(static_cast<double>(size));
            ws.end_batch(static_cast<double>(size));
            waited.end_batch(static_cast<double>(size));
        }
    }
    return {.wq = wq.estimate(), .ws = ws.estimate(), .p_wait = waited.estimate()};
}

}  // namespace smsrack::model
