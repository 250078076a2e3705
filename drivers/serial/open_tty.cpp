#include "drivers/serial/line_speed.hpp"
#include "drivers/serial/open_port.hpp"

#include <libserialport.h>

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <utility>

namespace smsrack::serial {
namespace {

struct PortEnd {
    void operator()(sp_port* port) const {
        sp_close(port);
        sp_free_port(port);
    }
};
using Port = std::unique_ptr<sp_port, PortEnd>;

int error_of(sp_return failed) {
    switch (failed) {
        case SP_ERR_ARG:
            return ENOTTY;  // not one of the ports that libserialport knows
        case SP_ERR_MEM:
            return ENOMEM;
        case SP_ERR_SUPP:
            return EINVAL;
        default:
            return sp_last_error_code();
    }
}

/// Speed, 8N1 and flow control. Each call sets with TCSANOW, which flushes nothing.
sp_return apply(sp_port* port, const PortSettings& settings, std::uint32_t baud) {
    for (const sp_return done :
         {sp_set_baudrate(port, static_cast<int>(baud)), sp_set_bits(port, 8),
          sp_set_parity(port, SP_PARITY_NONE), sp_set_stopbits(port, 1),
          sp_set_flowcontrol(port,
                             settings.rts_cts ? SP_FLOWCONTROL_RTSCTS : SP_FLOWCONTROL_NONE)}) {
        if (done != SP_OK) {
            return done;
        }
    }
    return SP_OK;
}

/// What libserialport has no name for: 0 bytes means the end, and closing leaves DTR up.
bool finish_settings(int fd) {
    termios settings{};
    if (::tcgetattr(fd, &settings) != 0) {
        return false;
    }
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    settings.c_cflag &= ~static_cast<tcflag_t>(HUPCL);
    return ::tcsetattr(fd, TCSANOW, &settings) == 0;
}

}  // namespace

Result<OpenPort> open_tty(const std::string& path, const PortSettings& settings) {
    sp_port* found = nullptr;
    if (const auto got = sp_get_port_by_name(path.c_str(), &found); got != SP_OK) {
        return std::unexpected(open_error(path, error_of(got)));
    }
    Port port(found);
    if (const auto opened = sp_open(port.get(), SP_MODE_READ_WRITE); opened != SP_OK) {
        return std::unexpected(open_error(path, error_of(opened)));
    }
    int fd = -1;
    // libserialport leaves it open to programs that this one starts.
    if (sp_get_port_handle(port.get(), &fd) != SP_OK || ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 ||
        ::flock(fd, LOCK_EX | LOCK_NB) != 0 || ::ioctl(fd, TIOCEXCL) != 0) {
        return std::unexpected(open_error(path, errno));
    }
    const bool keeps = settings.kept_baud != 0 && baud_of_port(fd) == settings.kept_baud;
    if (apply(port.get(), settings, keeps ? settings.kept_baud : settings.baud) != SP_OK ||
        !finish_settings(fd)) {
        return fail(Errc::bad_config,
                    path + " refuses its settings; is `baud` one of the usual rates?", errno);
    }
    return OpenPort{.fd = fd, .close = [owned = std::move(port)] {}};
}

}  // namespace smsrack::serial
