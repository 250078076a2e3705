#include "tools/rig/esme.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace smsrack::rig {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Esme::Esme(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const std::string why = std::strerror(errno);
        ::close(fd_);
        throw std::runtime_error("SMPP: connect: " + why);
    }
    const int yes = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

Esme::Esme(Esme&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      open_(other.open_),
      sequence_(other.sequence_),
      out_(std::move(other.out_)),
      frames_(std::move(other.frames_)),
      kept_(std::move(other.kept_)) {}

Esme::~Esme() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

std::optional<smpp::Status> Esme::bind(const std::string& name, const std::string& password,
                                       smpp::Command kind) {
    constexpr milliseconds patience{10'000};
    const auto sequence = send(kind, smpp::Bind{.system_id = name, .password = password});
    const auto answer = answer_to(sequence, patience);
    return answer ? std::optional(answer->header.status) : std::nullopt;
}

std::uint32_t Esme::send(smpp::Command command, smpp::Body body) {
    out_ += smpp::encode(
        {.header = {.command = command, .sequence = ++sequence_}, .body = std::move(body)});
    return sequence_;
}

void Esme::answer(const smpp::Header& request, smpp::Status status) {
    smpp::Body body;
    if (request.command == smpp::Command::deliver_sm && status == smpp::Status::ok) {
        body = smpp::MessageAnswer{};
    }
    out_ += smpp::encode({.header = {.command = smpp::answer_to(request.command),
                                     .status = status,
                                     .sequence = request.sequence},
                          .body = std::move(body)});
}

void Esme::flush() {
    std::size_t sent = 0;
    while (open_ && sent < out_.size()) {
        const ssize_t count = ::send(fd_, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) {
            open_ = false;
        } else {
            sent += static_cast<std::size_t>(count);
        }
    }
    out_.clear();
}

/// Of what has come.
std::optional<smpp::Pdu> Esme::next() {
    for (auto frame = frames_.next(); frame && *frame; frame = frames_.next()) {
        auto pdu = smpp::decode(**frame);
        if (!pdu) {
            throw std::runtime_error("SMPP: the server sent what is no PDU");
        }
        if (pdu->header.command != smpp::Command::enquire_link) {
            return *std::move(pdu);
        }
        answer(pdu->header);
    }
    return std::nullopt;
}

void Esme::receive(milliseconds within) {
    pollfd seen{.fd = fd_, .events = POLLIN, .revents = 0};
    if (::poll(&seen, 1, static_cast<int>(within.count())) != 1) {
        return;
    }
    std::array<char, 64UL * 1024> piece;
    const ssize_t count = ::recv(fd_, piece.data(), piece.size(), 0);
    if (count <= 0) {
        open_ = false;
        return;
    }
    frames_.add(std::string_view(piece.data(), static_cast<std::size_t>(count)));
}

std::optional<smpp::Pdu> Esme::read(milliseconds within) {
    if (!kept_.empty()) {
        smpp::Pdu pdu = std::move(kept_.front());
        kept_.pop_front();
        return pdu;
    }
    const auto until = steady_clock::now() + within;
    for (bool last = false;;) {
        if (auto pdu = next()) {
            return pdu;
        }
        flush();
        if (!open_ || last) {
            return std::nullopt;
        }
        const auto left = std::chrono::ceil<milliseconds>(until - steady_clock::now());
        last = left <= milliseconds(0);  // what has come is read also without any time
        receive(std::max(left, milliseconds(0)));
    }
}

std::optional<smpp::Pdu> Esme::answer_to(std::uint32_t sequence, milliseconds within) {
    const auto until = steady_clock::now() + within;
    std::deque<smpp::Pdu> others;
    std::optional<smpp::Pdu> found;
    while (!found) {
        auto pdu = read(std::max(std::chrono::ceil<milliseconds>(until - steady_clock::now()),
                                 milliseconds(0)));
        if (!pdu) {
            break;
        }
        if (smpp::is_answer(pdu->header.command) && pdu->header.sequence == sequence) {
            found = std::move(pdu);
        } else {
            others.push_back(*std::move(pdu));
        }
    }
    kept_.insert(kept_.begin(), std::make_move_iterator(others.begin()),
                 std::make_move_iterator(others.end()));
    return found;
}

}  // namespace smsrack::rig
