#include "drivers/gsm/exchange/radio_switch.hpp"

#include <chrono>

namespace smsrack::gsm {

bool RadioSwitch::speak(SteadyTime now) {
    constexpr std::chrono::seconds limit{30};  // it signs off from the network first
    channel_.start({.text = "AT+CFUN=0", .prefix = "+CFUN:", .timeout = limit}, now);
    return true;
}

std::optional<Trigger> RadioSwitch::on_final(at::FinalResult result, SteadyTime) {
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

}  // namespace smsrack::gsm
