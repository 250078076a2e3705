/// Takes the power from a modem for a while: by its power line where the board has one, else by DTR
/// of its serial port, which many boxes wire to the reset.
///
/// Time:    `off`; step() when due().
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "src/base/clock.hpp"
#include "src/ports/power.hpp"

#include <chrono>
#include <memory>

namespace smsrack::gsm {

class PowerPulse {
public:
    /// `power` may be null.
    PowerPulse(std::unique_ptr<ports::Power> power, std::chrono::milliseconds off);
    PowerPulse(const PowerPulse&) = delete;
    PowerPulse& operator=(const PowerPulse&) = delete;
    ~PowerPulse();  ///< the power is on again

    /// Switches off and takes `pipe` (may be null): DTR is held down through it until the end.
    /// no_device: there is neither a power line nor a DTR; else what the power line answered. Then
    /// `pipe` is as it was.
    [[nodiscard]] Result<> begin(std::unique_ptr<serial::BytePipe>& pipe, SteadyTime now);

    /// Switches on again when it is time; tries again where that fails.
    [[nodiscard]] Result<> step(SteadyTime now);

    [[nodiscard]] bool has_power_line() const { return power_ != nullptr; }
    [[nodiscard]] bool is_off() const { return on_at_ != never; }
    [[nodiscard]] SteadyTime due() const { return on_at_; }

private:
    [[nodiscard]] Result<> switch_on();
    void discard_input();

    const std::unique_ptr<ports::Power> power_;
    const std::chrono::milliseconds off_;
    std::unique_ptr<serial::BytePipe> pipe_;  // whose DTR is down; null: by power_
    SteadyTime on_at_ = never;
};

}  // namespace smsrack::gsm
