/// Puts the modem back to `baud` before its port goes to another program, which would not find it at the
/// faster rate. Tried once: a modem that does not answer is found at either rate by the next process.
///
/// Time:    as soon as nothing is in flight; at most `limit`.
/// Threads: the line's thread; leave() by any.
#pragma once

#include "drivers/gsm/set_up/port_rate.hpp"
#include "drivers/gsm/speaker.hpp"

#include <atomic>
#include <chrono>

namespace smsrack::gsm {

class RateReturn final : public Speaker {
public:
    static constexpr std::chrono::seconds limit{1};

    /// `rate` outlives this object.
    RateReturn(const Shared& modem, PortRate& rate) : Speaker(modem), rate_(rate) {}

    /// From now on the port must be left, or no longer.
    void leave(bool leaving) { leaving_.store(leaving, std::memory_order_release); }
    /// The modem must be put back yet.
    [[nodiscard]] bool is_due() const {
        return leaving_.load(std::memory_order_acquire) && rate_.is_fast() && !tried_;
    }
    /// The port was opened again, or the modem set up.
    void begin() { tried_ = false; }

    [[nodiscard]] bool speak(SteadyTime now) override {
        if (!is_due()) {
            return false;
        }
        tried_ = true;
        channel_.start({.text = rate_.lower_command(), .timeout = limit}, now);
        return true;
    }
    [[nodiscard]] SteadyTime next_turn() const override {
        return is_due() ? SteadyTime::min() : never;
    }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime) override {
        if (result.kind == at::FinalKind::ok) {
            rate_.to_base();
        } else {
            reporter_.note(LogLevel::warn, "fast_baud_left",
                           "it did not go back to its first rate: " + at::to_text(result));
        }
        return std::nullopt;
    }

private:
    PortRate& rate_;
    std::atomic<bool> leaving_ = false;
    bool tried_ = false;
};

}  // namespace smsrack::gsm
