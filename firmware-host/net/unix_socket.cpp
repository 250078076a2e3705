#include "firmware-host/net/unix_socket.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <netdb.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::net {
namespace {

constexpr int backlog = 512;  // connections that wait between two rounds of the loop

/// Closes at the end of its scope, unless released.
class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }
    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] int release() { return std::exchange(fd_, -1); }

private:
    int fd_;
};

Descriptor new_socket() {
    return Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

std::optional<sockaddr_un> address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) {
        return std::nullopt;
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

template <typename Call>
int with_address(const sockaddr_un& address, Call call) {
    return call(reinterpret_cast<const sockaddr*>(&address),
                static_cast<socklen_t>(sizeof address));
}

std::unexpected<Error> system_error(const std::string& what) {
    const int error = errno;
    const bool rights = error == EACCES || error == EPERM || error == EROFS;
    return fail(rights ? Errc::not_allowed : Errc::internal,
                what + ": " + std::system_category().message(error), error);
}

/// False: no file, or a socket that was left behind.
bool somebody_answers(const sockaddr_un& address) {
    const Descriptor probe = new_socket();
    if (probe.get() < 0) {
        return false;  // making the listener fails next, and says why
    }
    const int connected =
        with_address(address, [&](auto* at, auto size) { return connect(probe.get(), at, size); });
    return connected == 0 || errno == EAGAIN;  // EAGAIN: alive, but its backlog is full
}

}  // namespace

Result<ListeningSocket> listen_unix(const std::string& path, unsigned mode,
                                    std::optional<gid_t> group) {
    const std::string fresh = path + ".new";
    const auto target = address_of(path);
    const auto address = address_of(fresh);
    if (!target || !address) {
        return fail(Errc::bad_config, "socket path is empty or longer than 103 octets: " + path);
    }
    struct stat found {};
    if (lstat(path.c_str(), &found) == 0 && !S_ISSOCK(found.st_mode)) {
        return fail(Errc::bad_config, "a file that is not a socket is in the way: " + path);
    }
    if (somebody_answers(*target)) {
        return fail(Errc::busy, "another service listens on " + path);
    }
    Descriptor listener = new_socket();
    if (listener.get() < 0) {
        return system_error("socket");
    }
    unlink(fresh.c_str());
    if (with_address(*address,
                     [&](auto* at, auto size) { return bind(listener.get(), at, size); }) != 0) {
        return system_error(path);
    }
    // Group, mode and listening come before the name: a client that finds the file can use it, and
    // none can too early.
    const bool has_group = !group || chown(fresh.c_str(), static_cast<uid_t>(-1), *group) == 0;
    if (chmod(fresh.c_str(), static_cast<mode_t>(mode)) != 0 ||
        listen(listener.get(), backlog) != 0 || rename(fresh.c_str(), path.c_str()) != 0) {
        const auto error = system_error(path);
        unlink(fresh.c_str());
        return error;
    }
    if (lstat(path.c_str(), &found) != 0) {
        return system_error(path);
    }
    return ListeningSocket{.fd = listener.release(), .inode = found.st_ino, .has_group = has_group};
}

Result<ListeningSocket> adopt_unix(int fd, const std::string& path) {
    int listens = 0;
    int domain = 0;
    socklen_t size = sizeof listens;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0 ||
        getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX) {
        return fail(Errc::bad_config,
                    "the descriptor given for " + path + " is not a listening Unix socket");
    }
    struct stat found {};
    const bool there = lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode);
    return ListeningSocket{.fd = fd, .inode = there ? found.st_ino : 0};
}

void remove_unix(const std::string& path, std::uint64_t inode) {
    struct stat found {};
    if (lstat(path.c_str(), &found) == 0 && found.st_ino == inode) {
        unlink(path.c_str());
    }
}

wire::Peer peer_of(int fd) {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) {
        return {};
    }
    wire::Peer peer{.uid = credentials.uid, .gid = credentials.gid, .known = true};
    static_assert(sizeof(gid_t) == sizeof(std::uint32_t));
    peer.groups.resize(64);
    size = static_cast<socklen_t>(peer.groups.size() * sizeof(gid_t));
    int got = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, peer.groups.data(), &size);
    if (got != 0 && errno == ERANGE) {  // the kernel has reported how many there are
        peer.groups.resize(size / sizeof(gid_t));
        got = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, peer.groups.data(), &size);
    }
    peer.groups.resize(got == 0 ? size / sizeof(gid_t) : 0);
    return peer;
}

wire::Peer network_peer_of(int fd) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    std::array<char, NI_MAXHOST> host{};
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
        getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(),
                    nullptr, 0, NI_NUMERICHOST) != 0) {
        return {};
    }
    const std::string_view text = host.data();
    return {.address = std::string(text.substr(0, text.find('%')))};
}

}  // namespace smsrack::net
