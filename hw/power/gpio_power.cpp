#include "hw/power/gpio_power.hpp"

#include <cerrno>
#include <gpiod.h>
#include <system_error>
#include <utility>

namespace smsrack::power {
namespace {

constexpr const char* consumer = "smsrack";

Errc code_of(int error) {
    switch (error) {
        case EACCES:
        case EPERM:
            return Errc::not_allowed;
        case EBUSY:
            return Errc::busy;
        default:
            return Errc::no_device;
    }
}

}  // namespace

void GpioPower::ChipEnd::operator()(gpiod_chip* chip) const {
    gpiod_chip_close(chip);
}

GpioPower::GpioPower(GpioSettings settings) : settings_(std::move(settings)) {}

Result<> GpioPower::switch_to(bool on) {
    if (line_ == nullptr) {
        if (auto taken = take(on); !taken) {
            return taken;
        }
    } else if (gpiod_line_set_value(line_, on ? 1 : 0) != 0) {
        return failure(errno);
    }
    if (on) {
        line_ = nullptr;
        chip_.reset();
    }
    return {};
}

/// As an output with this value from the first moment on.
Result<> GpioPower::take(bool on) {
    Chip chip(gpiod_chip_open_lookup(settings_.chip.c_str()));
    if (!chip) {
        return failure(errno);
    }
    gpiod_line* const line = gpiod_chip_get_line(chip.get(), settings_.line);
    if (line == nullptr ||
        gpiod_line_request_output_flags(
            line, consumer, settings_.active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0,
            on ? 1 : 0) != 0) {
        return failure(errno);
    }
    chip_ = std::move(chip);
    line_ = line;
    return {};
}

std::unexpected<Error> GpioPower::failure(int error) const {
    return fail(code_of(error),
                "power line " + std::to_string(settings_.line) + " of " + settings_.chip + ": " +
                    std::generic_category().message(error),
                error);
}

}  // namespace smsrack::power
