/// A LED of the kernel's LED class: off, steady, or blinking by itself.
///
/// Threads: one. What it shows already is not written again.
/// Errors:  not_allowed, not_found, storage: its files can't be written.
/// Source:  Documentation/leds/leds-class.rst of Linux: trigger, brightness, max_brightness, delay_on, delay_off.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace smsrack::cli {

enum class LedState : std::uint8_t { off, steady, blinking };

class Led {
public:
    /// `folder`: such as /sys/class/leds/green:status.
    explicit Led(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] Result<> show(LedState state);

private:
    [[nodiscard]] Result<> write(const char* file, std::string_view text) const;
    [[nodiscard]] Result<> blink() const;

    std::filesystem::path folder_;
    std::optional<LedState> shown_ = {};
};

}  // namespace smsrack::cli
