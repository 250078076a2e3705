#include "drivers/serial/open_port.hpp"
#include "drivers/serial/owned_fd.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <termios.h>

namespace smsrack::serial {
namespace {

struct LineSpeed {
    std::uint32_t baud;
    speed_t speed;
};

constexpr std::array line_speeds{
    LineSpeed{1'200, B1200},     LineSpeed{2'400, B2400},     LineSpeed{4'800, B4800},
    LineSpeed{9'600, B9600},     LineSpeed{19'200, B19200},   LineSpeed{38'400, B38400},
    LineSpeed{57'600, B57600},   LineSpeed{115'200, B115200}, LineSpeed{230'400, B230400},
    LineSpeed{460'800, B460800}, LineSpeed{921'600, B921600},
};

/// Nullopt if termios has no name for it.
constexpr std::optional<speed_t> speed_of(std::uint32_t baud) {
    for (const LineSpeed& row : line_speeds) {
        if (row.baud == baud) {
            return row.speed;
        }
    }
    return std::nullopt;
}

}  // namespace

Result<OpenPort> open_pty(const std::string& path, const PortSettings& port) {
    OwnedFd fd(::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (fd.get() < 0 || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        return std::unexpected(open_error(path, errno));
    }
    termios settings{};
    if (::tcgetattr(fd.get(), &settings) != 0) {
        return std::unexpected(open_error(path, errno));
    }
    ::cfmakeraw(&settings);
    if (const auto speed = speed_of(port.baud)) {
        (void)::cfsetspeed(&settings, *speed);
    }
    settings.c_cc[VMIN] = 1;  // so that reading 0 bytes means the end, not "nothing yet"
    settings.c_cc[VTIME] = 0;
    if (::tcsetattr(fd.get(), TCSANOW, &settings) != 0) {  // TCSANOW: flushes nothing
        return std::unexpected(open_error(path, errno));
    }
    const int number = fd.get();
    return OpenPort{.fd = number, .close = [owned = std::move(fd)] {}};
}

}  // namespace smsrack::serial
