#include "tools/modem_sim/modem_port.hpp"

#include "tools/modem_sim/unix_address.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr std::size_t waiting_max = std::size_t{64} * 1024;

}  // namespace

ModemPort::ModemPort(Poller& poller, Place place, ModemSettings settings, unsigned baud,
                     std::uint64_t seed, Journal& journal)
    : poller_(poller),
      place_(std::move(place)),
      random_(seed),
      modem_(std::move(settings), baud, random_, journal) {}

Result<> ModemPort::open() {
    if (auto opened = open_pty(); !opened || place_.abstract_name.empty()) {
        return opened;
    }
    return open_socket();
}

SteadyTime ModemPort::step(SteadyTime now) {
    const SteadyTime deadline = modem_.step(now);
    modem_.host_baud(host_baud());
    bool received = false;
    const auto take = [&] { return modem_.take_received(std::chrono::steady_clock::now()); };
    for (std::string octets = take(); !octets.empty(); octets = take()) {
        (socket_.attached() ? socket_ : terminal_).write(octets);
        received = true;
    }
    if (modem_.accepts()) {
        terminal_.resume();
        socket_.resume();
    }
    return received ? modem_.step(now) : deadline;
}

Result<> ModemPort::inject(SteadyTime now, const Fault& fault) {
    if (fault.kind == FaultKind::unplug) {
        close_doors();
    } else if (fault.kind == FaultKind::replug && !plugged()) {
        if (auto opened = open_pty(); !opened) {
            return opened;
        }
    }
    modem().inject(now, fault);
    return {};
}

unsigned ModemPort::host_baud() const {
    const bool strict = place_.strict_baud || modem_.model().stats().rate_changes > 0;
    return strict && pty_ && !socket_.attached() ? pty_->baud() : 0;
}

void ModemPort::close_doors() {
    terminal_.detach();
    pty_.reset();
    drop_client();
}

Result<> ModemPort::open_pty() {
    auto pty = Pty::open(place_.link);
    if (!pty) {
        return std::unexpected(pty.error());
    }
    pty_.emplace(std::move(*pty));
    return terminal_.attach(pty_->fd());
}

Result<> ModemPort::open_socket() {
    listening_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const auto address = UnixAddress::abstract(place_.abstract_name);
    if (!address) {
        return std::unexpected(address.error());
    }
    if (!listening_ || ::bind(listening_.get(), address->get(), address->size()) != 0 ||
        ::listen(listening_.get(), 1) != 0) {
        return fail(Errc::busy, "abstract socket " + place_.abstract_name, errno);
    }
    return poller_.add(listening_.get(), EPOLLIN, listener_);
}

void ModemPort::drop_client() {
    socket_.detach();
    client_ = Descriptor();
}

void ModemPort::Listener::on_ready(std::uint32_t) {
    Descriptor client(
        ::accept4(port_.listening_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client && port_.plugged()) {  // one at a time, as on a serial port: the new one wins
        port_.drop_client();
        port_.client_ = std::move(client);
        if (!port_.socket_.attach(port_.client_.get())) {
            port_.drop_client();
        }
    }
}

Result<> ModemPort::Door::attach(int fd) {
    fd_ = fd;
    paused_ = false;
    waiting_.clear();
    return port_.poller_.add(fd_, EPOLLIN, *this);
}

void ModemPort::Door::detach() {
    if (attached()) {
        port_.poller_.remove(fd_);
        fd_ = -1;
    }
}

void ModemPort::Door::on_ready(std::uint32_t events) {
    if (attached() && (events & EPOLLOUT) != 0) {
        flush();
    }
    if (attached() && (events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) {
        read_some();
    }
}

void ModemPort::Door::read_some() {
    std::array<char, 4096> octets{};
    const auto size = ::read(fd_, octets.data(), octets.size());
    if (size > 0) {
        port_.modem_.host_baud(is_socket_ ? 0 : port_.host_baud());
        port_.modem().host_wrote(std::chrono::steady_clock::now(),
                                 {octets.data(), static_cast<std::size_t>(size)});
        if (!port_.modem_.accepts()) {
            paused_ = true;
            want();
        }
    } else if (is_socket_ && (size == 0 || errno != EAGAIN)) {
        port_.drop_client();
    }
}

void ModemPort::Door::write(std::string_view octets) {
    if (!attached()) {
        return;
    }
    if (waiting_.empty()) {
        const auto size = ::write(fd_, octets.data(), octets.size());
        octets.remove_prefix(size > 0 ? static_cast<std::size_t>(size) : 0);
    }
    if (!octets.empty() && waiting_.size() + octets.size() <= waiting_max) {
        waiting_ += octets;
        want();
    }
}

void ModemPort::Door::flush() {
    const auto size = ::write(fd_, waiting_.data(), waiting_.size());
    if (size > 0) {
        waiting_.erase(0, static_cast<std::size_t>(size));
    }
    if (waiting_.empty()) {
        want();
    }
}

void ModemPort::Door::resume() {
    if (attached() && paused_) {
        paused_ = false;
        want();
    }
}

void ModemPort::Door::want() {
    const std::uint32_t reading = paused_ ? 0U : EPOLLIN;
    const std::uint32_t writing = waiting_.empty() ? 0U : EPOLLOUT;
    port_.poller_.change(fd_, reading | writing, *this);
}

}  // namespace smsrack::modem_sim
