#include "drivers/serial/serial_source.hpp"

#include "drivers/serial/line_speed.hpp"
#include "drivers/serial/open_port.hpp"
#include "drivers/serial/owned_fd.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace smsrack::serial {
namespace {

/// A byte pipe over a non-blocking file descriptor; the same for true ttys and pseudo-terminals.
class FdPipe final : public BytePipe {
public:
    /// `close` is called once, at the end. `waiter` outlives this object and watches `fd` until
    /// then.
    FdPipe(int fd, std::move_only_function<void()> close, PollWaiter& waiter)
        : fd_(fd), close_(std::move(close)), waiter_(waiter) {
        waiter_.watch(fd_);
    }
    FdPipe(const FdPipe&) = delete;
    FdPipe& operator=(const FdPipe&) = delete;
    ~FdPipe() override {
        waiter_.watch(-1);
        close_();
    }

    [[nodiscard]] Result<std::size_t> read(std::span<char> into) override {
        if (!waiter_.may_be_readable()) {
            return 0;
        }
        const auto got = ::read(fd_, into.data(), into.size());
        if (got < 0 || static_cast<std::size_t>(got) < into.size()) {
            waiter_.was_emptied();
        }
        if (got > 0) {
            return static_cast<std::size_t>(got);
        }
        if (got < 0 && is_only_later(errno)) {
            return 0;
        }
        // VMIN is 1, so 0 is the end: the device hung up. A pseudo-terminal whose master is gone
        // says EIO.
        return fail(Errc::closed, "port: read", got < 0 ? errno : 0);
    }
    [[nodiscard]] Result<std::size_t> write(std::span<const char> bytes) override {
        const auto put = ::write(fd_, bytes.data(), bytes.size());
        if (put < 0 && !is_only_later(errno)) {
            return fail(Errc::closed, "port: write", errno);
        }
        const auto written = put < 0 ? std::size_t{0} : static_cast<std::size_t>(put);
        waiter_.watch_writable(written < bytes.size());
        return written;
    }
    [[nodiscard]] int duplicate() const override { return ::fcntl(fd_, F_DUPFD_CLOEXEC, 3); }
    [[nodiscard]] Result<> set_dtr(bool up) override {
        const int line = TIOCM_DTR;
        if (::ioctl(fd_, up ? TIOCMBIS : TIOCMBIC, &line) != 0) {
            return fail(Errc::no_device, "port: DTR", errno);
        }
        return {};
    }
    [[nodiscard]] std::uint32_t baud() const override { return baud_of_port(fd_); }
    /// By termios, also where libserialport opened it: an adopted port has no sp_port. A driver that does
    /// not have the rate takes the call, and keeps the one before.
    [[nodiscard]] Result<> set_baud(std::uint32_t baud) override {
        const auto speed = speed_of(baud);
        termios settings{};
        if (!speed || ::tcgetattr(fd_, &settings) != 0 || ::cfsetspeed(&settings, *speed) != 0 ||
            ::tcsetattr(fd_, TCSANOW, &settings) != 0 || baud_of_port(fd_) != baud) {
            return fail(Errc::bad_config, "port: this rate", errno);
        }
        return {};
    }

private:
    static bool is_only_later(int error) {
        return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
    }

    const int fd_;
    std::move_only_function<void()> close_;
    PollWaiter& waiter_;
};

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
