/// Reports when a port may have appeared: inotify on the folder of each path, and the kernel's own
/// events of serial ports.
///
/// A hint, not a fact: udev may still be at work on links and rights, so the listener tries at once
/// and soon again. A folder that is not there yet (/dev/serial/by-path without any modem) is waited
/// for through the folders above it. Without either source ports are found by the line's own
/// retries alone.
///
/// Threads: one; nothing waits.
/// Source:  inotify(7), netlink(7) NETLINK_KOBJECT_UEVENT; Linux, lib/kobject_uevent.c.
#pragma once

#include "drivers/serial/owned_fd.hpp"
#include "src/base/result.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::serial {

/// A serial port came, or is there in another way than before. `uevent`: "add@/devices/..." and NAME=value, each
/// ended by NUL.
[[nodiscard]] bool is_new_tty(std::string_view uevent);

class PortWatch {
public:
    /// `paths` are absolute. not_allowed: the system gives no inotify.
    [[nodiscard]] static Result<std::unique_ptr<PortWatch>> make(
        const std::vector<std::string>& paths);

    /// Readable when changed() has something to report.
    [[nodiscard]] int fd() const { return either_.get(); }

    /// The paths that may have come since the last call, by their place, in order.
    [[nodiscard]] std::vector<std::size_t> changed();

private:
    struct Path {
        std::string folder;
        std::string name;
        int watch = -1;       // of inotify
        bool nearer = false;  // watch is on a folder above: `folder` is not there
        bool changed = false;
    };

    PortWatch(OwnedFd inotify, OwnedFd uevents, OwnedFd either,
              const std::vector<std::string>& paths);

    void look(Path& path);
    void drop(int watch);
    void read_folders();
    void take(int watch, std::string_view name, bool gone);
    void read_uevents();

    const OwnedFd inotify_;
    const OwnedFd uevents_;  // -1: the system gives none (a container)
    const OwnedFd either_;   // epoll on both
    std::vector<Path> paths_;
};

}  // namespace smsrack::serial
