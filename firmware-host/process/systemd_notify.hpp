/// Notifies systemd of the state of the service: the plain notify protocol, sd_notify(3). Does
/// nothing outside systemd.
///
/// Threads: any; one datagram a call.
/// Errors:  none; without a listener nothing is sent.
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

    /// Of a run. The period of alive() begins with it, so this is the first one: else runs that follow each other, by reloads
    /// or upgrades, would look like silence.
    void ready() { (void)send("READY=1\nWATCHDOG=1\n"); }
    /// Another process continues for this one.
    void main_pid(pid_t pid) { (void)send("MAINPID=" + std::to_string(pid) + "\n"); }
    void stopping() { (void)send("STOPPING=1\n"); }
    void alive() { (void)send("WATCHDOG=1\n"); }
    /// Before ready(): a minute more, and alive. A successor says it for the process that waits for it, too.
    void still_starting() const { (void)send("WATCHDOG=1\nEXTEND_TIMEOUT_USEC=60000000\n"); }
    void status(std::string_view words);

    /// systemd listens.
    [[nodiscard]] bool is_there() const { return !socket_.empty(); }
    /// systemd keeps a double of this descriptor over a restart (FDSTORE; FileDescriptorStoreMax=
    /// in the unit). False: it was not asked to.
    [[nodiscard]] bool keep(const std::string& name, int fd) const {
        return send("FDSTORE=1\nFDNAME=" + name + "\n", fd);
    }
    /// No longer.
    void forget(const std::string& name) const {
        (void)send("FDSTOREREMOVE=1\nFDNAME=" + name + "\n");
    }

    /// How often alive() is wanted.
    [[nodiscard]] std::optional<std::chrono::milliseconds> watchdog_period() const {
        return watchdog_;
    }

private:
    /// `fd` goes with it; -1: none.
    bool send(std::string_view state, int fd = -1) const;

    const std::string socket_;
    const std::optional<std::chrono::milliseconds> watchdog_;
};

/// From the environment of the process.
[[nodiscard]] SystemdNotify systemd_of_environment();

}  // namespace smsrack::host
