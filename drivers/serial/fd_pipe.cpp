#include "drivers/serial/fd_pipe.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace smsrack::serial {
namespace {

bool is_only_later(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

FdPipe::FdPipe(int fd, std::move_only_function<void()> close, PollWaiter& waiter)
    : fd_(fd), close_(std::move(close)), waiter_(waiter) {
    waiter_.watch(fd_);
}

FdPipe::~FdPipe() {
    waiter_.watch(-1);
    close_();
}

Result<std::size_t> FdPipe::read(std::span<char> into) {
    const auto got = ::read(fd_, into.data(), into.size());
    if (got > 0) {
        return static_cast<std::size_t>(got);
    }
    if (got < 0 && is_only_later(errno)) {
        return 0;
    }
    // VMIN is 1, so 0 is the end: the device hung up. A pseudo-terminal whose master is gone says
    // EIO.
    return fail(Errc::closed, "port: read", got < 0 ? errno : 0);
}

Result<std::size_t> FdPipe::write(std::span<const char> bytes) {
    const auto put = ::write(fd_, bytes.data(), bytes.size());
    if (put < 0 && !is_only_later(errno)) {
        return fail(Errc::closed, "port: write", errno);
    }
    const auto written = put < 0 ? std::size_t{0} : static_cast<std::size_t>(put);
    waiter_.watch_writable(written < bytes.size());
    return written;
}

int FdPipe::duplicate() const {
    return ::fcntl(fd_, F_DUPFD_CLOEXEC, 3);
}

Result<> FdPipe::set_dtr(bool up) {
    const int line = TIOCM_DTR;
    if (::ioctl(fd_, up ? TIOCMBIS : TIOCMBIC, &line) != 0) {
        return fail(Errc::no_device, "port: DTR", errno);
    }
    return {};
}

}  // namespace smsrack::serial
