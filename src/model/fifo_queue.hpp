/// Computes a first-come-first-served queue with equal servers, arrival by arrival; M/M/c gives its
/// means.
///
/// Unit:    seconds since any beginning.
/// Source:  Kiefer and Wolfowitz: a customer begins when he has come and the first server is free.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace smsrack::model {

class FifoQueue {
public:
    /// At least one server; all are free at first.
    explicit FifoQueue(std::uint32_t servers) {
        for (std::uint32_t i = 0; i < std::max(servers, 1U); ++i) {
            free_at_.push(0);
        }
    }

    /// The next customer, not before the one before him. Gives how long he waits.
    double arrive(double at, double service) {
        const double begins = std::max(at, free_at_.top());
        free_at_.pop();
        free_at_.push(begins + service);
        return begins - at;
    }

private:
    std::priority_queue<double, std::vector<double>, std::greater<>> free_at_;  // one each server
};

}  // namespace smsrack::model
