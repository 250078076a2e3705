#include "tools/smsrack/screen/full_screen.hpp"

#include <array>
#include <cerrno>
#include <poll.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

namespace smsrack::cli {
namespace {

constexpr std::string_view enter_screen = "\x1B[?1049h\x1B[?25l\x1B[2J";
constexpr std::string_view leave_screen = "\x1B[0m\x1B[?25h\x1B[?1049l";
constexpr std::array crashes{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::array waited_for{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};

/// What a signal handler needs after a crash. A handler has no object, so it can't be a member.
struct Saved {
    termios modes{};
    bool has_modes = false;
    volatile std::sig_atomic_t entered = 0;
};
Saved saved;

/// As write(2) until all is out; a terminal that takes no more is not our trouble.
void write_all(std::string_view octets) {
    while (!octets.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, octets.data(), octets.size());
        if (count < 0 && errno == EAGAIN) {
            pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
            (void)::poll(&out, 1, 1'000);
        } else if (count < 0 && errno != EINTR) {
            return;
        }
        octets.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
}

/// Only calls that are allowed in a signal handler.
void restore_terminal() {
    if (saved.entered == 0) {
        return;
    }
    saved.entered = 0;
    write_all(leave_screen);
    if (saved.has_modes) {
        ::tcsetattr(STDIN_FILENO, TCSADRAIN, &saved.modes);
    }
}

extern "C" void restore_and_crash(int signal) {
    restore_terminal();
    (void)::raise(signal);  // SA_RESETHAND: this time it ends the program
}

void set_crash_handlers(void (*handler)(int)) {
    for (const int signal : crashes) {
        struct sigaction action {};
        action.sa_handler = handler;
        action.sa_flags = handler == SIG_DFL ? 0 : static_cast<int>(SA_RESETHAND | SA_NODEFER);
        ::sigaction(signal, &action, nullptr);
    }
}

}  // namespace

FullScreen::FullScreen() : has_keys_(::isatty(STDIN_FILENO) == 1) {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int signal : waited_for) {
        sigaddset(&wanted, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    signals_ = client::UniqueFd(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
    saved.has_modes = has_keys_ && ::tcgetattr(STDIN_FILENO, &saved.modes) == 0;
    set_crash_handlers(restore_and_crash);
    enter();
}

FullScreen::~FullScreen() {
    leave();
    set_crash_handlers(SIG_DFL);
    Input ignored;
    take_signals(ignored);  // what was answered must not end the program now
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void FullScreen::enter() {
    saved.entered = 1;
    if (saved.has_modes) {
        termios modes = saved.modes;
        modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C and Ctrl-Z stay signals
        modes.c_cc[VMIN] = 0;
        modes.c_cc[VTIME] = 0;
        ::tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
    }
    write_all(enter_screen);
}

void FullScreen::leave() {
    restore_terminal();
}

ScreenSize FullScreen::size() const {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
        return {};
    }
    return {.rows = size.ws_row, .columns = size.ws_col};
}

void FullScreen::write(std::string_view octets) const {
    write_all(octets);
}

FullScreen::Input FullScreen::wait_for(std::chrono::milliseconds time) {
    Input input;
    std::array<pollfd, 2> fds{
        {{.fd = signals_.get(), .events = POLLIN, .revents = 0},
         {.fd = has_keys_ ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0}}};
    if (::poll(fds.data(), fds.size(), static_cast<int>(time.count())) <= 0) {
        return input;
    }
    if (fds[0].revents != 0) {
        take_signals(input);
    }
    if ((fds[1].revents & POLLIN) != 0) {
        take_keys(input);
    } else if (fds[1].revents != 0) {
        input.stop = true;  // the terminal is gone
    }
    return input;
}

void FullScreen::take_signals(Input& input) {
    signalfd_siginfo told{};
    while (::read(signals_.get(), &told, sizeof told) == sizeof told) {
        switch (static_cast<int>(told.ssi_signo)) {
            case SIGWINCH:
                input.redraw = true;
                break;
            case SIGCONT:  // after SIGSTOP, which comes without notice; others wrote on the screen
                enter();
                input.redraw = true;
                break;
            case SIGTSTP:
                leave();
                (void)::raise(SIGSTOP);  // continues here, with a SIGCONT in the queue
                break;
            default:
                input.stop = true;
        }
    }
}

void FullScreen::take_keys(Input& input) {
    std::array<char, 256> octets{};
    const ssize_t count = ::read(STDIN_FILENO, octets.data(), octets.size());
    if (count > 0) {
        input.keys = keys_.feed({octets.data(), static_cast<std::size_t>(count)});
    }
}

}  // namespace smsrack::cli
