#include "tests/db/postgres/cut_proxy.hpp"

#include <algorithm>
#include <array>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace smsrack::test {
namespace {

constexpr int look_ms = 20;

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { (void)::close(number_); }
    [[nodiscard]] int get() const { return number_; }

private:
    const int number_;
};

sockaddr_un address_of(const std::filesystem::path& path) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string name = path.string();
    if (name.size() >= sizeof address.sun_path) {
        throw std::runtime_error("too long for a socket: " + name);
    }
    std::ranges::copy(name, static_cast<char*>(address.sun_path));
    return address;
}

int listen_at(const std::filesystem::path& path) {
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = address_of(path);
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener, 8) != 0) {
        throw std::runtime_error("can't listen at " + path.string());
    }
    return listener;
}

/// False: the connection has ended.
bool move_some(int from, int to) {
    std::array<char, 65'536> octets{};
    const auto count = ::read(from, octets.data(), octets.size());
    if (count <= 0) {
        return false;
    }
    for (ssize_t done = 0; done < count;) {
        const auto written =
            ::send(to, octets.data() + done, static_cast<std::size_t>(count - done), MSG_NOSIGNAL);
        if (written <= 0) {
            return false;
        }
        done += written;
    }
    return true;
}

}  // namespace

CutProxy::CutProxy(std::filesystem::path server)
    : server_(std::move(server)),
      listener_(listen_at(folder_.path() / ".s.PGSQL.5432")),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void CutProxy::run(const std::stop_token& stop) {
    const Descriptor listener(listener_);
    while (!stop.stop_requested()) {
        pollfd source{listener.get(), POLLIN, 0};
        if (::poll(&source, 1, look_ms) == 1) {
            carry(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC), stop);
        }
    }
}

/// One connection at a time, as a box has.
void CutProxy::carry(int client_socket, const std::stop_token& stop) {
    const Descriptor client(client_socket);
    const Descriptor server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = address_of(server_);
    if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        return;
    }
    while (!stop.stop_requested()) {
        std::array<pollfd, 2> sources{pollfd{client.get(), POLLIN, 0},
                                      pollfd{server.get(), POLLIN, 0}};
        (void)::poll(sources.data(), sources.size(), look_ms);
        if (sources[0].revents != 0) {
            if (break_ == Break::before_request) {
                break_ = Break::never;
                return;
            }
            if (!move_some(client.get(), server.get())) {
                return;
            }
        }
        if (sources[1].revents != 0) {
            if (break_ == Break::before_answer) {
                break_ = Break::never;
                return;
            }
            if (!move_some(server.get(), client.get())) {
                return;
            }
        }
    }
}

}  // namespace smsrack::test
