/// The machine's randomness: a Mersenne twister seeded from the kernel. Good enough for jitter and
/// references, not for keys.
///
/// Threads: any; a short lock.
#pragma once

#include "src/base/random.hpp"

#include <mutex>
#include <random>

namespace smsrack::host {

class SystemRandom final : public Random {
public:
    SystemRandom() : engine_(std::random_device{}()) {}

    [[nodiscard]] std::uint64_t next() override {
        const std::lock_guard lock(mutex_);
        return engine_();
    }

private:
    std::mutex mutex_;  // guards engine_
    std::mt19937_64 engine_;
};

}  // namespace smsrack::host
