#include "drivers/serial/control_lines.hpp"

#include "drivers/serial/owned_fd.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>

namespace smsrack::serial {

std::optional<ControlLines> control_lines(const std::string& path) {
    const OwnedFd fd(::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    int bits = 0;
    if (fd.get() < 0 || ::ioctl(fd.get(), TIOCMGET, &bits) != 0) {
        return std::nullopt;
    }
    return ControlLines{.cts = (bits & TIOCM_CTS) != 0, .dsr = (bits & TIOCM_DSR) != 0};
}

}  // namespace smsrack::serial
