// `smsrack dashboard`: the dashboard in a browser of this machine, with the rights of the caller.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/dashboard/own_gate.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {
namespace {

struct DashboardOptions {
    bool stays_closed = false;  ///< no browser is started
};

/// What came first while the dashboard is served.
enum class Came : std::uint8_t { signal, address, line };

Came wait_for_any(const StopSignal& stop, const OwnGate& gate, bool with_keys) {
    std::array<pollfd, 3> fds{
        {{.fd = stop.fd(), .events = POLLIN, .revents = 0},
         {.fd = gate.fd(), .events = POLLIN, .revents = 0},
         {.fd = with_keys ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0}}};
    while (::poll(fds.data(), fds.size(), -1) < 0) {  // EINTR alone
    }
    return fds[0].revents != 0 ? Came::signal : fds[1].revents != 0 ? Came::address : Came::line;
}

/// False: standard input has ended.
bool read_line() {
    std::array<char, 256> words{};
    return ::read(STDIN_FILENO, words.data(), words.size()) > 0;
}

bool has_screen() {
    return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

/// Without waiting for it. Where there is no xdg-open, the address is printed all the same.
void open_browser(std::string address) {
    std::string program = "xdg-open";
    std::array<char*, 3> words{program.data(), address.data(), nullptr};
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    }
    pid_t pid = -1;
    (void)posix_spawnp(&pid, program.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
}

Outcome<> show_address(const std::string& address, bool with_keys, Context& context) {
    auto shown = report(
        {{"address", address}},
        fmt::format("The dashboard is at\n\n  {}\n\nThe address logs one browser in, once, within "
                    "60 s. {}Ctrl-C ends the dashboard.\n",
                    address, with_keys ? "Enter prints another one. " : ""),
        context);
    (void)context.console.flush();
    return shown;
}

Outcome<> serve_dashboard(const DashboardOptions& options, Context& context) {
    const StopSignal stop;
    auto gate = OwnGate::start(context.socket);
    if (!gate) {
        return failure(ExitCode::failed, gate.error().context);
    }
    bool with_keys = ::isatty(STDIN_FILENO) == 1;
    bool opens = !options.stays_closed && !context.json && has_screen();
    while (true) {
        switch (wait_for_any(stop, *gate, with_keys)) {
            case Came::signal:
                return ExitCode::done;
            case Came::line:
                with_keys = read_line();
                if (with_keys) {
                    gate->ask_for_another();
                }
                break;
            case Came::address: {
                const auto address = gate->next_address();
                if (!address) {
                    return failure(ExitCode::failed,
                                   "smsrack-gate has ended, so the dashboard has too");
                }
                if (auto shown = show_address(*address, with_keys, context); !shown) {
                    return shown;
                }
                if (std::exchange(opens, false)) {
                    open_browser(*address);
                }
            }
        }
    }
}

}  // namespace

void declare_dashboard(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"dashboard",
                         "show the dashboard in a browser of this machine, until Ctrl-C",
                         {"dashboard", "dashboard --no-open"}},
                        serve_dashboard);
    app.add_flag("--no-open", options.stays_closed, "print the address, and start no browser");
}

}  // namespace smsrack::cli
