/// Switches one modem's power by a GPIO line of the board, which drives a relay or a power switch.
///
/// The line is taken only while the power is off, so that at all other times it is as the board has
/// it: the board's own wiring must mean "on". Where no chip has this name, each call says so; it
/// may come later.
///
/// Threads: the line's thread.
/// Errors:  no_device (chip or line), busy (another program drives it), not_allowed.
/// Source:  libgpiod 1.6.
#pragma once

#include "src/ports/power.hpp"

#include <memory>
#include <string>

struct gpiod_chip;  // NOLINT(readability-identifier-naming): libgpiod's own names
struct gpiod_line;

namespace smsrack::power {

struct GpioSettings {
    std::string chip = {};    ///< "gpiochip0", "/dev/gpiochip0", or its label
    unsigned line = 0;        ///< offset on the chip
    bool active_low = false;  ///< low is on
};

class GpioPower final : public ports::Power {
public:
    explicit GpioPower(GpioSettings settings);

    [[nodiscard]] Result<> switch_to(bool on) override;

private:
    struct ChipEnd {
        void operator()(gpiod_chip* chip) const;  // its lines are let go too
    };
    using Chip = std::unique_ptr<gpiod_chip, ChipEnd>;

    [[nodiscard]] Result<> take(bool on);
    [[nodiscard]] std::unexpected<Error> failure(int error) const;

    const GpioSettings settings_;
    Chip chip_;                   // open while the line is taken
    gpiod_line* line_ = nullptr;  // of chip_
};

}  // namespace smsrack::power
