#include "drivers/serial/line_speed.hpp"
#include "drivers/serial/open_port.hpp"
#include "drivers/serial/owned_fd.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <termios.h>

namespace smsrack::serial {
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
    const auto speed = speed_of(port.baud);
    const bool keeps = port.kept_baud != 0 && baud_of(::cfgetospeed(&settings)) == port.kept_baud;
    if (speed && !keeps) {
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
