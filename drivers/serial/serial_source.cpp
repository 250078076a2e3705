#include "drivers/serial/serial_source.hpp"

#include "drivers/serial/fd_pipe.hpp"
#include "drivers/serial/open_port.hpp"
#include "drivers/serial/owned_fd.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace smsrack::serial {
namespace {

/// Major numbers 136 to 143: UNIX 98 pseudo-terminals (Documentation/admin-guide/devices.txt).
bool is_pty(const struct stat& about) {
    return S_ISCHR(about.st_mode) && major(about.st_rdev) >= 136 && major(about.st_rdev) <= 143;
}

Result<OpenPort> open_resolved(const PortSettings& settings) {
    const std::unique_ptr<char, decltype(&std::free)> resolved(
        ::realpath(settings.path.c_str(), nullptr), &std::free);
    struct stat about {};
    if (!resolved || ::stat(resolved.get(), &about) != 0) {
        return std::unexpected(open_error(settings.path, errno));
    }
    if (!S_ISCHR(about.st_mode)) {
        return std::unexpected(open_error(settings.path, ENOTTY));
    }
    return is_pty(about) ? open_pty(resolved.get(), settings) : open_tty(resolved.get(), settings);
}

}  // namespace

SerialSource::SerialSource(const Clock& clock) : waiter_(clock) {}

Result<std::unique_ptr<BytePipe>> SerialSource::open(const PortSettings& settings) {
    auto port = open_resolved(settings);
    if (!port) {
        return std::unexpected(std::move(port.error()));
    }
    return std::make_unique<FdPipe>(port->fd, std::move(port->close), waiter_);
}

/// Without libserialport: the program that opened it has set it up.
Result<std::unique_ptr<BytePipe>> SerialSource::adopt(int fd) {
    if (::isatty(fd) == 0) {
        return fail(Errc::no_device, "port: the adopted descriptor is not a terminal", errno);
    }
    return std::make_unique<FdPipe>(
        fd, [owned = OwnedFd(fd)] {}, waiter_);
}

}  // namespace smsrack::serial
