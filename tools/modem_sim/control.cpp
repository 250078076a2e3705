#include "tools/modem_sim/control.hpp"

#include "tools/modem_sim/control_commands.hpp"
#include "tools/modem_sim/unix_address.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace smsrack::modem_sim {
namespace {

constexpr std::size_t clients_max = 8;
constexpr std::size_t line_max = std::size_t{64} * 1024;
constexpr std::size_t answers_max = std::size_t{256} * 1024;

}  // namespace

Control::~Control() {
    if (!path_.empty()) {
        (void)::unlink(path_.c_str());
    }
}

Result<> Control::open(const std::string& path) {
    const std::string fresh = path + ".new";
    const auto address = UnixAddress::path(fresh);
    if (!address) {
        return std::unexpected(address.error());
    }
    struct stat found {};
    if (::lstat(path.c_str(), &found) == 0 && !S_ISSOCK(found.st_mode)) {
        return fail(Errc::not_allowed, path, EADDRINUSE);
    }
    (void)::unlink(fresh.c_str());
    listening_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    // Listening comes before the name: a client that finds the file gets an answer.
    if (!listening_ || ::bind(listening_.get(), address->get(), address->size()) != 0 ||
        ::listen(listening_.get(), static_cast<int>(clients_max)) != 0 ||
        ::rename(fresh.c_str(), path.c_str()) != 0) {
        return fail(Errc::not_allowed, path, errno);
    }
    path_ = path;
    return poller_.add(listening_.get(), EPOLLIN, *this);
}

void Control::on_ready(std::uint32_t) {
    std::erase_if(clients_, [](const auto& client) { return client->gone(); });
    Descriptor fd(::accept4(listening_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd || clients_.size() == clients_max) {
        return;
    }
    auto client = std::make_unique<Client>(*this, std::move(fd));
    if (poller_.add(client->fd(), EPOLLIN, *client)) {
        clients_.push_back(std::move(client));
    }
}

void Control::Client::on_ready(std::uint32_t events) {
    if ((events & EPOLLOUT) != 0) {
        flush();
    }
    if (gone_ || (events & ~static_cast<std::uint32_t>(EPOLLOUT)) == 0) {
        return;
    }
    std::array<char, 4096> octets{};
    const auto size = ::read(fd_.get(), octets.data(), octets.size());
    if (size <= 0) {
        if (size == 0 || errno != EAGAIN) {
            leave();
        }
        return;
    }
    in_.append(octets.data(), static_cast<std::size_t>(size));
    take_lines();
}

void Control::Client::take_lines() {
    for (auto end = in_.find('\n'); end != std::string::npos; end = in_.find('\n')) {
        const ControlAnswer answer = run_control_line(
            control_.rack_, std::chrono::steady_clock::now(), std::string_view(in_).substr(0, end));
        control_.quit_ = control_.quit_ || answer.quit;
        out_ += answer.line;
        out_ += '\n';
        in_.erase(0, end + 1);
    }
    if (in_.size() > line_max || out_.size() > answers_max) {
        leave();
        return;
    }
    flush();
}

void Control::Client::flush() {
    const auto size = ::send(fd_.get(), out_.data(), out_.size(), MSG_NOSIGNAL);
    if (size > 0) {
        out_.erase(0, static_cast<std::size_t>(size));
    } else if (size < 0 && errno != EAGAIN) {
        leave();
        return;
    }
    control_.poller_.change(fd_.get(), out_.empty() ? EPOLLIN : EPOLLIN | EPOLLOUT, *this);
}

/// The object itself goes with the next client, since the poller may still be telling it something.
void Control::Client::leave() {
    control_.poller_.remove(fd_.get());
    fd_ = Descriptor();
    gone_ = true;
}

}  // namespace smsrack::modem_sim
