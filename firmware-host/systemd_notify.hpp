/// Tells systemd how the service is: the plain notify protocol, sd_notify(3). Does nothing outside systemd.
///
/// Threads: any; one datagram a call.
/// Errors:  none; who does not listen is not told.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace smsrack::host {

class SystemdNotify {
public:
    /// `socket`: NOTIFY_SOCKET, or empty. `watchdog`: half of WATCHDOG_USEC, where it is set.
    SystemdNotify(std::string socket, std::optional<std::chrono::milliseconds> watchdog);

    void ready() { send("READY=1\n"); }
    /// Another process goes on for this one.
    void main_pid(pid_t pid) { send("MAINPID=" + std::to_string(pid) + "\n"); }
    void stopping() { send("STOPPING=1\n"); }
    void alive() { send("WATCHDOG=1\n"); }
    void status(std::string_view words);

    /// How often alive() is wanted.
    [[nodiscard]] std::optional<std::chrono::milliseconds> watchdog_period() const {
        return watchdog_;
    }

private:
    void send(std::string_view state) const;

    const std::string socket_;
    const std::optional<std::chrono::milliseconds> watchdog_;
};

/// From the environment of the process.
[[nodiscard]] SystemdNotify systemd_of_environment();

}  // namespace smsrack::host
