#include "firmware-host/net/tcp_listener.hpp"

#include "firmware-host/net/handles.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace smsrack::net {
namespace {

sockaddr_storage storage_of(const config::ListenAddress& address) {
    sockaddr_storage storage{};
    const auto& octets = address.address.octets;
    if (address.address.is_v4()) {
        sockaddr_in v4{};
        v4.sin_family = AF_INET;
        v4.sin_port = htons(address.port);
        std::memcpy(&v4.sin_addr, octets.data() + octets.size() - sizeof v4.sin_addr,
                    sizeof v4.sin_addr);
        std::memcpy(&storage, &v4, sizeof v4);
    } else {
        sockaddr_in6 v6{};
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(address.port);
        std::memcpy(&v6.sin6_addr, octets.data(), octets.size());
        std::memcpy(&storage, &v6, sizeof v6);
    }
    return storage;
}

std::string shown(bool v4, std::string_view host, std::string_view port) {
    return v4 ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

Errc listen_errc(int status) {
    switch (status) {
        case UV_EADDRINUSE:
            return Errc::busy;
        case UV_EACCES:
        case UV_EPERM:
            return Errc::not_allowed;
        case UV_EADDRNOTAVAIL:
            return Errc::bad_config;
        default:
            return Errc::internal;
    }
}

}  // namespace

TcpListener::TcpListener(uv_tcp_s* tcp, Accept accept) : tcp_(tcp), accept_(std::move(accept)) {
    tcp_->data = this;
}

TcpListener::~TcpListener() {
    close_and_delete(tcp_);
}

Result<std::unique_ptr<TcpListener>> TcpListener::at(const config::ListenAddress& address,
                                                     Loop& loop, Accept accept) {
    auto* const tcp = new uv_tcp_t{};
    uv_tcp_init(loop.raw(), tcp);
    std::unique_ptr<TcpListener> listener(new TcpListener(tcp, std::move(accept)));
    const std::string place =
        shown(address.address.is_v4(), address.address.text(), std::to_string(address.port));
    const sockaddr_storage storage = storage_of(address);
    if (const int status = uv_tcp_bind(tcp, reinterpret_cast<const sockaddr*>(&storage), 0);
        status != 0) {
        return fail(listen_errc(status), place + ": " + uv_strerror(status), -status);
    }
    if (auto listening = listener->listen(place); !listening) {
        return std::unexpected(std::move(listening.error()));
    }
    return listener;
}

Result<std::unique_ptr<TcpListener>> TcpListener::of(int fd, Loop& loop, Accept accept) {
    int listens = 0;
    int type = 0;
    socklen_t size = sizeof listens;
    auto* const tcp = new uv_tcp_t{};
    uv_tcp_init(loop.raw(), tcp);
    std::unique_ptr<TcpListener> listener(new TcpListener(tcp, std::move(accept)));
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0 ||
        getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM ||
        uv_tcp_open(tcp, fd) != 0) {
        ::close(fd);
        return fail(Errc::bad_config, "a descriptor named http is not a listening TCP socket");
    }
    if (auto listening = listener->listen("a descriptor named http"); !listening) {
        return std::unexpected(std::move(listening.error()));
    }
    return listener;
}

Result<> TcpListener::listen(const std::string& place) {
    constexpr int backlog = 512;
    const int status = uv_listen(as_stream(tcp_), backlog, [](uv_stream_t* it, int) noexcept {
        static_cast<TcpListener*>(it->data)->accept_(*it);
    });
    return status == 0 ? Result<>()
                       : fail(listen_errc(status), place + ": " + uv_strerror(status), -status);
}

std::string TcpListener::place() const {
    sockaddr_storage address{};
    int size = sizeof address;
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port{};
    if (uv_tcp_getsockname(tcp_, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
        getnameinfo(reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(size),
                    host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return {};
    }
    return shown(address.ss_family == AF_INET, host.data(), port.data());
}

}  // namespace smsrack::net
