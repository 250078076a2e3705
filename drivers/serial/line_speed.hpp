/// The rates that termios has a name for.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <termios.h>

namespace smsrack::serial {

struct LineSpeed {
    std::uint32_t baud;
    speed_t speed;
};

inline constexpr std::array line_speeds{
    LineSpeed{1'200, B1200},     LineSpeed{2'400, B2400},     LineSpeed{4'800, B4800},
    LineSpeed{9'600, B9600},     LineSpeed{19'200, B19200},   LineSpeed{38'400, B38400},
    LineSpeed{57'600, B57600},   LineSpeed{115'200, B115200}, LineSpeed{230'400, B230400},
    LineSpeed{460'800, B460800}, LineSpeed{921'600, B921600},
};

/// Nullopt if termios has no name for it.
[[nodiscard]] constexpr std::optional<speed_t> speed_of(std::uint32_t baud) {
    const auto row = std::ranges::find(line_speeds, baud, &LineSpeed::baud);
    return row == line_speeds.end() ? std::nullopt : std::optional(row->speed);
}

/// 0 if it is none of them.
[[nodiscard]] constexpr std::uint32_t baud_of(speed_t speed) {
    const auto row = std::ranges::find(line_speeds, speed, &LineSpeed::speed);
    return row == line_speeds.end() ? 0 : row->baud;
}

/// The rate of an open terminal; 0: it is none, or its rate has no name.
[[nodiscard]] inline std::uint32_t baud_of_port(int fd) {
    termios settings{};
    return ::tcgetattr(fd, &settings) == 0 ? baud_of(::cfgetospeed(&settings)) : 0;
}

}  // namespace smsrack::serial
