/// The line speeds that termios knows.
#pragma once

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
    for (const LineSpeed& row : line_speeds) {
        if (row.baud == baud) {
            return row.speed;
        }
    }
    return std::nullopt;
}

}  // namespace smsrack::serial
