#include "tools/bench/hook_receiver.hpp"

#include "src/base/time_text.hpp"

#include <array>
#include <charconv>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace smsrack::bench {
namespace {

constexpr std::size_t octets_max = 64UL * 1024;  // of a request: three times what an event may have
constexpr std::string_view taken = "HTTP/1.1 204 No Content\r\n\r\n";
constexpr std::string_view refused =
    "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n";

/// The first request in `octets` as a whole; nullopt: its end has not come.
std::optional<std::string_view> request_in(std::string_view octets) {
    constexpr std::string_view length_name = "Content-Length: ";
    const std::size_t head = octets.find("\r\n\r\n");
    const std::size_t length_at = octets.substr(0, head).find(length_name);
    if (head == std::string_view::npos || length_at == std::string_view::npos) {
        return std::nullopt;
    }
    std::size_t length = 0;
    (void)std::from_chars(octets.data() + length_at + length_name.size(), octets.data() + head,
                          length);
    const std::size_t whole = head + 4 + length;
    return octets.size() >= whole ? std::optional(octets.substr(0, whole)) : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<HookReceiver>> HookReceiver::open() {
    client::UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::listen(fd.get(), SOMAXCONN) != 0 ||
        ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        return fail(Errc::no_device, "a port for a receiver", errno);
    }
    return std::unique_ptr<HookReceiver>(new HookReceiver(std::move(fd), ntohs(address.sin_port)));
}

HookReceiver::HookReceiver(client::UniqueFd listening, std::uint16_t port)
    : listening_(std::move(listening)),
      port_(port),
      accepting_([this](const std::stop_token& stop) { accept(stop); }) {}

HookReceiver::~HookReceiver() {
    accepting_.request_stop();
    (void)::shutdown(listening_.get(), SHUT_RDWR);  // accept() returns
    accepting_.join();
    for (const client::UniqueFd& connection : connections_) {
        (void)::shutdown(connection.get(), SHUT_RDWR);
    }
    serving_.clear();
}

std::size_t HookReceiver::came() const {
    const std::lock_guard lock(mutex_);
    return ages_.size();
}

std::vector<double> HookReceiver::ages() const {
    const std::lock_guard lock(mutex_);
    return ages_;
}

void HookReceiver::forget() {
    const std::lock_guard lock(mutex_);
    ages_.clear();
}

void HookReceiver::accept(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        client::UniqueFd fd(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!fd) {
            continue;
        }
        const int at_once = 1;
        (void)::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
        const int number = fd.get();
        {
            const std::lock_guard lock(mutex_);
            connections_.push_back(std::move(fd));
        }
        serving_.emplace_back([this, number] { serve(number); });
    }
}

void HookReceiver::serve(int fd) {
    std::string octets;
    std::array<char, octets_max> piece{};
    while (octets.size() < octets_max) {
        const auto count = ::recv(fd, piece.data(), piece.size(), 0);
        if (count <= 0) {
            break;
        }
        octets.append(piece.data(), static_cast<std::size_t>(count));
        while (const auto request = request_in(octets)) {
            note(request->substr(request->find("\r\n\r\n") + 4));
            octets.erase(0, request->size());
            const Manner manner = manner_;
            if (manner == Manner::deaf) {
                continue;  // the gate's patience ends the connection
            }
            if (const auto time = think_.load(); time.count() > 0) {
                std::this_thread::sleep_for(time);
            }
            const std::string_view answer = manner == Manner::takes ? taken : refused;
            if (::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) {
                break;
            }
        }
    }
    (void)::shutdown(fd, SHUT_RDWR);
}

void HookReceiver::note(std::string_view body) {
    const auto now = std::chrono::system_clock::now();
    constexpr std::string_view name = R"("timestamp":")";
    const std::size_t at = body.find(name);
    if (at == std::string_view::npos || body.starts_with(R"({"type":"webhook.test")")) {
        return;
    }
    const std::string_view text = body.substr(at + name.size());
    if (const auto time = time_of(text.substr(0, text.find('"')))) {
        const std::lock_guard lock(mutex_);
        ages_.push_back(std::chrono::duration<double, std::milli>(now - *time).count());
    }
}

}  // namespace smsrack::bench
