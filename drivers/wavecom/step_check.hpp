/// Asks AT once after an answer that came torn, before the next command: a late rest of it must not be
/// taken for the answer to that one.
///
/// A modem that answers is in step, and nothing more follows. One that does not is drained (Drain).
/// Time:    silence, then a probe of probe_limit.
/// Bound:   in_a_row checks without a whole answer in between; then the modem is drained.
/// Threads: the line's thread.
#pragma once

#include "drivers/wavecom/speaker.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace smsrack::wavecom {

class StepCheck final : public Speaker {
public:
    static constexpr std::chrono::milliseconds silence{100};
    static constexpr std::chrono::milliseconds probe_limit{1000};
    static constexpr int in_a_row = 3;

    /// Outlives this object.
    explicit StepCheck(at::AtChannel& channel) : channel_(channel) {}

    /// False: that was tried often enough.
    [[nodiscard]] bool begin(SteadyTime now) {
        if (checks_ == in_a_row) {
            return false;
        }
        ++checks_;
        begun_at_ = now;
        return true;
    }
    [[nodiscard]] bool is_due() const { return begun_at_ != never; }
    void cut_off() { begun_at_ = never; }
    /// A command was answered as it should be.
    void answered_well() { checks_ = is_due() ? checks_ : 0; }

    [[nodiscard]] bool speak(SteadyTime now) override {
        if (now < next_turn()) {
            return false;
        }
        channel_.start({.text = "AT", .timeout = probe_limit}, now);
        return true;
    }
    [[nodiscard]] SteadyTime next_turn() const override {
        return is_due() ? std::max(channel_.last_input(), begun_at_) + silence : never;
    }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime) override {
        cut_off();
        return result.kind == at::FinalKind::ok ? std::nullopt : std::optional(Trigger::no_answer);
    }

private:
    at::AtChannel& channel_;
    SteadyTime begun_at_ = never;
    int checks_ = 0;
};

}  // namespace smsrack::wavecom
