// `smsrack dashboard`: the dashboard in a browser of this machine, with the rights of the caller.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/dashboard/browser.hpp"
#include "tools/smsrack/dashboard/own_gate.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {
namespace {

struct DashboardOptions {
    bool stays_closed = false;  ///< no browser is started
};

/// What came first while the dashboard is served.
enum class Came : std::uint8_t { signal, address, line, time };

/// For poll(); -1: no end.
int wait_ms(std::optional<SteadyTime> until, SteadyTime now) {
    if (!until) {
        return -1;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - now);
    return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

Came wait_for_any(const StopSignal& stop, const OwnGate& gate, bool with_keys, int ms) {
    std::array<pollfd, 3> fds{
        {{.fd = stop.fd(), .events = POLLIN, .revents = 0},
         {.fd = gate.fd(), .events = POLLIN, .revents = 0},
         {.fd = with_keys ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0}}};
    (void)::poll(fds.data(), fds.size(), ms);  // EINTR alone, which is as if it were time
    return fds[0].revents != 0   ? Came::signal
           : fds[1].revents != 0 ? Came::address
           : fds[2].revents != 0 ? Came::line
                                 : Came::time;
}

/// False: standard input has ended.
bool read_line() {
    std::array<char, 256> words{};
    return ::read(STDIN_FILENO, words.data(), words.size()) > 0;
}

/// A browser of root's would be a browser with all rights.
bool may_open() {
    return ::geteuid() != 0 &&
           (std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr);
}

/// In memory, and the caller's own, where there is such a folder.
std::filesystem::path page_parent() {
    const char* const own = std::getenv("XDG_RUNTIME_DIR");
    return own != nullptr && *own == '/' ? std::filesystem::path(own)
                                         : std::filesystem::path("/tmp");
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
    // The code of an address counts once, so the login must not be the first to find that this account may not call.
    if (const auto who = Service(context.socket, stop.fd()).get("/v1/session"); !who) {
        return std::unexpected(who.error());
    }
    auto gate = OwnGate::start(context.socket);
    if (!gate) {
        return failure(ExitCode::failed, gate.error().context);
    }
    bool with_keys = ::isatty(STDIN_FILENO) == 1;
    bool opens = !options.stays_closed && !context.json && may_open();
    const RealClock clock;
    Browser browser("xdg-open", page_parent());
    while (true) {
        browser.tend(clock.steady());
        const int ms = wait_ms(browser.tend_at(), clock.steady());
        switch (wait_for_any(stop, *gate, with_keys, ms)) {
            case Came::signal:
                return ExitCode::done;
            case Came::time:
                break;
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
                    (void)browser.open(*address, clock.steady());  // else it is printed
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
