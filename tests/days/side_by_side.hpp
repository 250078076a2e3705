/// Runs seeds in their order, as many side by side as there are jobs.
///
/// Threads: one.
/// Errors:  std::runtime_error if the search was interrupted.
#pragma once

#include "tools/rig/interrupt.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace smsrack::days {

/// Of this machine.
[[nodiscard]] inline unsigned processors() {
    return std::max(std::thread::hardware_concurrency(), 1U);
}

/// `begin` gives the process of the next seed, or nullptr if there is none; `end` gets each process in order, and
/// its result says whether the search continues. False: it ended before the last seed.
template <typename Begin, typename End>
bool run_side_by_side(const rig::Interrupt& interrupt, unsigned jobs, Begin begin, End end) {
    std::deque<decltype(begin())> running;
    while (true) {
        for (auto next = running.size() < jobs ? begin() : nullptr; next;
             next = running.size() < jobs ? begin() : nullptr) {
            running.push_back(std::move(next));
        }
        if (running.empty()) {
            return true;
        }
        while (!running.front()->has_result()) {
            if (interrupt.rest(std::chrono::milliseconds(20))) {
                throw std::runtime_error("called off");
            }
        }
        const auto oldest = std::move(running.front());
        running.pop_front();
        if (!end(*oldest)) {
            return false;
        }
    }
}

}  // namespace smsrack::days
