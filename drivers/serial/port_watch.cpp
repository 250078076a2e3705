#include "drivers/serial/port_watch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <linux/netlink.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace smsrack::serial {
namespace {

constexpr std::uint32_t comings =
    IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;

/// One event is at most sizeof(inotify_event) + NAME_MAX + 1; a uevent is at most 2 KiB.
constexpr std::size_t buffer_size = 8192;

/// The kernel's own events (group 1), before udev has worked on them; -1 where there are none.
OwnedFd open_uevents() {
    OwnedFd fd(
        ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT));
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups = 1;
    if (fd.get() >= 0 &&
        ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        return OwnedFd(-1);
    }
    return fd;
}

bool add_to(const OwnedFd& either, const OwnedFd& one) {
    epoll_event event{};
    event.events = EPOLLIN;
    return one.get() < 0 || ::epoll_ctl(either.get(), EPOLL_CTL_ADD, one.get(), &event) == 0;
}

}  // namespace

bool is_new_tty(std::string_view uevent) {
    bool is_tty = false;
    bool is_new = false;
    while (!uevent.empty()) {
        const auto word = uevent.substr(0, uevent.find('\0'));
        is_tty = is_tty || word == "SUBSYSTEM=tty";
        is_new = is_new || word == "ACTION=add" || word == "ACTION=change" || word == "ACTION=move";
        uevent.remove_prefix(std::min(uevent.size(), word.size() + 1));
    }
    return is_tty && is_new;
}

Result<std::unique_ptr<PortWatch>> PortWatch::make(const std::vector<std::string>& paths) {
    OwnedFd inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    OwnedFd uevents = open_uevents();
    OwnedFd either(::epoll_create1(EPOLL_CLOEXEC));
    if (inotify.get() < 0 || either.get() < 0 || !add_to(either, inotify) ||
        !add_to(either, uevents)) {
        return fail(Errc::not_allowed, "inotify: no watch for ports that come", errno);
    }
    return std::unique_ptr<PortWatch>(
        new PortWatch(std::move(inotify), std::move(uevents), std::move(either), paths));
}

PortWatch::PortWatch(OwnedFd inotify, OwnedFd uevents, OwnedFd either,
                     const std::vector<std::string>& paths)
    : inotify_(std::move(inotify)), uevents_(std::move(uevents)), either_(std::move(either)) {
    for (const std::filesystem::path path : paths) {
        look(paths_.emplace_back(Path{.folder = path.parent_path(), .name = path.filename()}));
    }
}

/// At its folder, or at the nearest one above that is there.
void PortWatch::look(Path& path) {
    const int before = path.watch;
    std::filesystem::path folder = path.folder;
    path.watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), comings);
    path.nearer = path.watch < 0;
    while (path.watch < 0 && folder.has_relative_path()) {
        folder = folder.parent_path();
        path.watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), comings);
    }
    drop(before);
}

/// A watch that no path needs any more.
void PortWatch::drop(int watch) {
    if (watch >= 0 && std::ranges::find(paths_, watch, &Path::watch) == paths_.end()) {
        ::inotify_rm_watch(inotify_.get(), watch);
    }
}

std::vector<std::size_t> PortWatch::changed() {
    read_folders();
    read_uevents();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        if (std::exchange(paths_[i].changed, false)) {
            places.push_back(i);
        }
    }
    return places;
}

void PortWatch::read_folders() {
    alignas(inotify_event) std::array<char, buffer_size> buffer{};
    for (;;) {
        const auto got = ::read(inotify_.get(), buffer.data(), buffer.size());
        if (got <= 0) {
            return;  // all was read
        }
        for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
            inotify_event event{};
            std::memcpy(&event, buffer.data() + at, sizeof event);
            const char* const name = buffer.data() + at + sizeof event;
            take(event.wd, event.len > 0 ? std::string_view(name) : std::string_view(),
                 (event.mask & (IN_IGNORED | IN_MOVE_SELF | IN_Q_OVERFLOW)) != 0);
            at += sizeof event + event.len;
        }
    }
}

/// `gone`: the watch is of no more use, or some events are lost.
void PortWatch::take(int watch, std::string_view name, bool gone) {
    for (Path& path : paths_) {
        if (watch >= 0 && path.watch != watch) {
            continue;
        }
        if (gone || path.nearer) {
            look(path);
            path.changed = true;
        } else if (name == path.name) {
            path.changed = true;
        }
    }
}

void PortWatch::read_uevents() {
    std::array<char, buffer_size> buffer{};
    while (uevents_.get() >= 0) {
        sockaddr_nl from{};
        socklen_t size = sizeof from;
        const auto got = ::recvfrom(uevents_.get(), buffer.data(), buffer.size(), 0,
                                    reinterpret_cast<sockaddr*>(&from), &size);
        const bool lost = got < 0 && errno == ENOBUFS;
        if (got < 0 && !lost) {
            return;
        }
        if (lost ||
            (from.nl_pid == 0 && is_new_tty({buffer.data(), static_cast<std::size_t>(got)}))) {
            for (Path& path : paths_) {
                path.changed = true;
            }
        }
    }
}

}  // namespace smsrack::serial
