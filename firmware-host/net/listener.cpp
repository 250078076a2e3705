#include "firmware-host/net/listener.hpp"

#include "firmware-host/net/handles.hpp"
#include "firmware-host/net/unix_socket.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace smsrack::net {
namespace {

int duplicate_of(uv_pipe_t* pipe) {
    const int fd = descriptor_of(pipe);
    return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

}  // namespace

Listener::Listener(ListenerPlace place, Loop& loop, Log& log,
                   std::function<void(uv_stream_s&)> accept)
    : place_(std::move(place)), loop_(loop), log_(log), accept_(std::move(accept)) {}

Result<> Listener::listen() {
    const auto socket = listen_unix(place_.path, place_.mode, place_.group);
    if (!socket) {
        return std::unexpected(socket.error());
    }
    if (!socket->has_group) {
        log_.warn("socket_group_refused",
                  {{"socket", place_.path},
                   {"detail",
                    "the service's account is not in the group smsrack-api, so the socket keeps "
                    "its own group; run `systemd-sysusers` and restart the service"}});
    }
    inode_ = socket->inode;
    return listen_on(socket->fd);
}

Result<> Listener::adopt(int fd, bool owns_file) {
    owns_file_ = owns_file;
    if (fd < 0) {
        return listen();
    }
    const auto socket = adopt_unix(fd, place_.path);
    if (!socket) {
        ::close(fd);
        return std::unexpected(socket.error());
    }
    inode_ = socket->inode;
    return listen_on(socket->fd);
}

Result<> Listener::listen_on(int fd) {
    pipe_ = new uv_pipe_t{};
    uv_pipe_init(loop_.raw(), pipe_, 0);
    pipe_->data = this;
    constexpr int backlog = 512;
    int status = uv_pipe_open(pipe_, fd);
    if (status != 0) {
        ::close(fd);
    } else {
        status = uv_listen(
            reinterpret_cast<uv_stream_t*>(pipe_), backlog,
            [](uv_stream_t* it, int) noexcept { static_cast<Listener*>(it->data)->accept_(*it); });
    }
    if (status != 0) {
        close();
        return fail(Errc::internal, place_.path + ": " + uv_strerror(status), -status);
    }
    return {};
}

/// libuv itself would accept one more, so its handle goes, and the descriptor stays.
void Listener::hold(bool held) {
    if (held && pipe_ != nullptr) {
        held_ = duplicate_of(pipe_);
        close_and_delete(std::exchange(pipe_, nullptr));
    } else if (!held && held_ >= 0) {
        if (auto listening = listen_on(std::exchange(held_, -1)); !listening) {
            log_.error("api_listens_no_more", {{"error", listening.error().context}});
        }
    }
}

int Listener::leave() {
    kept_ = true;
    return std::exchange(held_, -1);
}

int Listener::keep() {
    const int fd = pipe_ == nullptr ? -1 : duplicate_of(pipe_);
    kept_ = kept_ || fd >= 0;
    return fd;
}

void Listener::close() {
    if (pipe_ == nullptr && held_ < 0) {
        return;
    }
    if (owns_file_ && !kept_) {
        remove_unix(place_.path, inode_);
    }
    if (pipe_ != nullptr) {
        close_and_delete(std::exchange(pipe_, nullptr));
    }
    if (held_ >= 0) {
        ::close(std::exchange(held_, -1));
    }
}

}  // namespace smsrack::net
