/// Switches the radio off: AT+CFUN=0, which also signs off from the network, so that the service centre keeps what comes.
///
/// It is switched on by StartUp, which finds +CFUN: 0 as after any start. Gives Trigger::slept, sleep_refused, no_answer.
/// Source:  3GPP TS 27.007 8.2.
#pragma once

#include "drivers/gsm/speaker.hpp"

#include <chrono>

namespace smsrack::gsm {

class RadioSwitch final : public Speaker {
public:
    using Speaker::Speaker;

    [[nodiscard]] bool speak(SteadyTime now) override {
        constexpr std::chrono::seconds limit{30};  // it signs off from the network first
        channel_.start({.text = "AT+CFUN=0", .prefix = "+CFUN:", .timeout = limit}, now);
        return true;
    }
    [[nodiscard]] SteadyTime next_turn() const override { return SteadyTime::min(); }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime) override {
        switch (result.kind) {
            case at::FinalKind::ok:
                return Trigger::slept;
            case at::FinalKind::timed_out:
                return Trigger::no_answer;
            default:
                reporter_.note(LogLevel::warn, "radio_not_off", at::to_text(result));
                return Trigger::sleep_refused;
        }
    }
};

}  // namespace smsrack::gsm
