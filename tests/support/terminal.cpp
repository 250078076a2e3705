#include "tests/support/terminal.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace smsrack::test {
namespace {

constexpr std::string_view prompt = "$ ";

winsize size_of(std::size_t rows, std::size_t columns) {
    winsize size{};
    size.ws_row = static_cast<unsigned short>(rows);
    size.ws_col = static_cast<unsigned short>(columns);
    return size;
}

/// In the child: never returns.
[[noreturn]] void become_shell(const std::vector<std::string>& environment) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::setenv("TERM", "xterm", 1);
    ::setenv("PS1", prompt.data(), 1);
    ::unsetenv("NO_COLOR");
    for (const std::string& variable : environment) {
        const std::size_t equals = variable.find('=');
        ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
    ::execlp("bash", "bash", "--norc", "--noprofile", "--noediting", "-i", nullptr);
    ::_exit(127);
}

}  // namespace

Terminal::Terminal(std::size_t rows, std::size_t columns,
                   const std::vector<std::string>& environment)
    : screen_(rows, columns) {
    const winsize size = size_of(rows, columns);
    shell_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (shell_ < 0) {
        throw std::runtime_error("no pseudo-terminal");
    }
    if (shell_ == 0) {
        become_shell(environment);
    }
    if (!until_prompt()) {
        throw std::runtime_error("no prompt: " + screen_.text());
    }
}

Terminal::~Terminal() {
    ::close(terminal_);
    ::kill(shell_, SIGKILL);
    ::waitpid(shell_, nullptr, 0);
}

void Terminal::type(std::string_view keys) {
    while (!keys.empty()) {
        const ssize_t count = ::write(terminal_, keys.data(), keys.size());
        if (count < 0) {
            throw std::runtime_error("the terminal takes no keys");
        }
        keys.remove_prefix(static_cast<std::size_t>(count));
    }
}

void Terminal::resize(std::size_t rows, std::size_t columns) {
    screen_.resize(rows, columns);
    const winsize size = size_of(rows, columns);
    ::ioctl(terminal_, TIOCSWINSZ, &size);
}

void Terminal::read_for(std::chrono::milliseconds time) {
    pollfd input{.fd = terminal_, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, static_cast<int>(time.count())) <= 0) {
        return;
    }
    std::array<char, 65'536> octets{};
    const ssize_t count = ::read(terminal_, octets.data(), octets.size());
    if (count > 0) {
        screen_.feed({octets.data(), static_cast<std::size_t>(count)});
    }
}

bool Terminal::until(const std::function<bool()>& holds, std::chrono::milliseconds within) {
    const auto deadline = std::chrono::steady_clock::now() + within;
    while (!holds()) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        read_for(std::chrono::milliseconds(50));
    }
    return true;
}

void Terminal::begin(const std::string& line) {
    screen_.feed("\x1B[H\x1B[2J");
    screen_.feed(prompt);
    screen_.forget();
    type(line + "\n");
}

bool Terminal::until_prompt() {
    return until([this] {
        const std::string last = screen_.lines()[screen_.row()];
        return !screen_.other_screen() && last == prompt.substr(0, 1);
    });
}

bool Terminal::command(const std::string& line) {
    begin(line);
    // The echo of the line first, so that the old prompt is not taken for the new one.
    return until([this] { return screen_.row() > 0; }) && until_prompt();
}

termios Terminal::modes() const {
    termios modes{};
    ::tcgetattr(terminal_, &modes);
    return modes;
}

}  // namespace smsrack::test
