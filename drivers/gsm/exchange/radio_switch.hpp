/// Switches the radio off: AT+CFUN=0, which also signs off from the network, so that the service centre keeps what comes.
///
/// It is switched on by StartUp, which finds +CFUN: 0 as after any start. Gives Trigger::slept, sleep_refused, no_answer.
/// Threads: the line's thread.
/// Source:  3GPP TS 27.007 8.2.
#pragma once

#include "drivers/at/at_channel.hpp"
#include "drivers/gsm/modem_states.hpp"
#include "drivers/gsm/reporter.hpp"
#include "drivers/gsm/speaker.hpp"

namespace smsrack::gsm {

class RadioSwitch final : public Speaker {
public:
    /// Both outlive this object.
    RadioSwitch(at::AtChannel& channel, Reporter& reporter)
        : channel_(channel), reporter_(reporter) {}

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override { return SteadyTime::min(); }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    at::AtChannel& channel_;
    Reporter& reporter_;
};

}  // namespace smsrack::gsm
