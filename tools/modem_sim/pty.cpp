#include "tools/modem_sim/pty.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <termios.h>

namespace smsrack::modem_sim {
namespace {

Result<> make_link(const std::filesystem::path& link, const char* target) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(link, error);
    if (std::filesystem::exists(status)) {
        if (!std::filesystem::is_symlink(status)) {
            return fail(Errc::conflict, link.string() + " exists and is not a link");
        }
        std::filesystem::remove(link, error);
    }
    std::filesystem::create_symlink(target, link, error);
    if (error) {
        return fail(Errc::not_allowed, link.string() + ": link", error.value());
    }
    return {};
}

}  // namespace

Result<Pty> Pty::open(const std::filesystem::path& link) {
    Pty pty;
    pty.master_ = Descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    std::array<char, 64> name{};
    if (!pty.master_ || ::grantpt(pty.fd()) != 0 || ::unlockpt(pty.fd()) != 0 ||
        ::ptsname_r(pty.fd(), name.data(), name.size()) != 0) {
        return fail(Errc::no_device, "pseudo-terminal", errno);
    }
    pty.slave_ = Descriptor(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios settings{};
    if (!pty.slave_ || ::tcgetattr(pty.slave_.get(), &settings) != 0) {
        return fail(Errc::no_device, name.data(), errno);
    }
    ::cfmakeraw(&settings);
    (void)::cfsetspeed(&settings, B115200);
    constexpr mode_t everybody = 0666;  // the service under test runs as an ordinary user
    if (::tcsetattr(pty.slave_.get(), TCSANOW, &settings) != 0 ||
        ::fchmod(pty.slave_.get(), everybody) != 0) {
        return fail(Errc::not_allowed, name.data(), errno);
    }
    if (auto made = make_link(link, name.data()); !made) {
        return std::unexpected(made.error());
    }
    pty.link_ = link;
    return pty;
}

unsigned Pty::baud() const {
    struct Speed {
        unsigned baud;
        speed_t speed;
    };
    constexpr std::array speeds{
        Speed{1'200, B1200},     Speed{2'400, B2400},     Speed{4'800, B4800},
        Speed{9'600, B9600},     Speed{19'200, B19200},   Speed{38'400, B38400},
        Speed{57'600, B57600},   Speed{115'200, B115200}, Speed{230'400, B230400},
        Speed{460'800, B460800}, Speed{921'600, B921600}};
    termios settings{};
    if (::tcgetattr(slave_.get(), &settings) != 0) {
        return 0;
    }
    const auto row = std::ranges::find(speeds, ::cfgetospeed(&settings), &Speed::speed);
    return row == speeds.end() ? 0 : row->baud;
}

Pty::~Pty() {
    if (master_) {
        std::error_code ignored;
        std::filesystem::remove(link_, ignored);
    }
}

}  // namespace smsrack::modem_sim
