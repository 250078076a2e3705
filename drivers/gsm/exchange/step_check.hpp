/// Asks AT once after an answer that came torn, before the next command: a late rest of it must not be
/// taken for the answer to that one.
///
/// A modem that answers, and then is silent, is in step: the first OK may have been a late one. One that
/// does not answer is drained (Drain).
/// Time:    silence, a probe of probe_limit, silence.
/// Bound:   in_a_row checks without a whole answer in between; then the modem is drained.
#pragma once

#include "drivers/gsm/speaker.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace smsrack::gsm {

class StepCheck final : public Speaker {
public:
    static constexpr std::chrono::milliseconds silence{100};
    static constexpr std::chrono::milliseconds probe_limit{1000};
    static constexpr int in_a_row = 3;

    using Speaker::Speaker;

    /// False: that was tried often enough.
    [[nodiscard]] bool begin(SteadyTime now) {
        if (checks_ == in_a_row) {
            return false;
        }
        ++checks_;
        since_ = now;
        phase_ = Phase::before;
        return true;
    }
    [[nodiscard]] bool is_due() const { return phase_ != Phase::idle; }
    void cut_off() { phase_ = Phase::idle; }
    /// A command was answered as it should be.
    void answered_well() { checks_ = is_due() ? checks_ : 0; }

    [[nodiscard]] bool speak(SteadyTime now) override {
        if (phase_ != Phase::before || now < next_turn()) {
            return false;
        }
        channel_.start({.text = "AT", .timeout = probe_limit}, now);
        return true;
    }
    [[nodiscard]] SteadyTime next_turn() const override {
        return is_due() ? std::max(channel_.last_input(), since_) + silence : never;
    }
    std::optional<Trigger> tick(SteadyTime now) override {
        if (phase_ == Phase::after && now >= next_turn()) {
            cut_off();
        }
        return std::nullopt;
    }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override {
        const bool is_in_step = result.kind == at::FinalKind::ok;
        phase_ = is_in_step ? Phase::after : Phase::idle;
        since_ = now;
        return is_in_step ? std::nullopt : std::optional(Trigger::no_answer);
    }

private:
    enum class Phase : std::uint8_t { idle, before, after };  // the probe

    Phase phase_ = Phase::idle;
    SteadyTime since_ = {};
    int checks_ = 0;
};

}  // namespace smsrack::gsm
