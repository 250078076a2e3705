#include "firmware-host/upgrade/hand_over_link.hpp"

#include "firmware-host/upgrade/hand_over_text.hpp"
#include "src/wire/json.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <span>
#include <sys/socket.h>

namespace smsrack::host {
namespace {

constexpr std::size_t descriptors_a_message = 128;  // the kernel's bound is 253

/// Room for the descriptors of one message, aligned as the kernel wants it.
struct Control {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(descriptors_a_message * sizeof(int))> octets = {};
};

std::optional<wire::Json> object_of(std::string_view line) {
    auto json = wire::parse_json(line);
    return json && json->is_object() ? std::optional(*std::move(json)) : std::nullopt;
}

std::unexpected<Error> gone(int error) {
    return fail(Errc::closed, "hand-over: the other program is gone", error);
}

}  // namespace

Result<std::pair<HandOverLink, serial::OwnedFd>> HandOverLink::make_pair() {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return fail(Errc::internal, "hand-over: socketpair", errno);
    }
    return std::pair(HandOverLink(serial::OwnedFd(ends[0])), serial::OwnedFd(ends[1]));
}

Result<bool> HandOverLink::read_some() {
    std::array<char, 64UL * 1024> buffer;
    Control control;
    iovec part{.iov_base = buffer.data(), .iov_len = buffer.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.octets.data();
    message.msg_controllen = control.octets.size();
    const auto got = ::recvmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) {
        return errno == EAGAIN || errno == EINTR ? Result<bool>(false) : gone(errno);
    }
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            descriptors_.emplace_back(fd);
        }
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0) {
        return fail(Errc::protocol, "hand-over: descriptors were lost; is LimitNOFILE too low?");
    }
    if (got == 0) {
        return gone(0);
    }
    octets_.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
}

Result<> HandOverLink::wait(short events, SteadyTime deadline) const {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd wanted{.fd = socket_.get(), .events = events, .revents = 0};
    if (left.count() <= 0 || ::poll(&wanted, 1, static_cast<int>(left.count())) == 0) {
        return fail(Errc::timeout, "hand-over: the other program does not answer");
    }
    return {};
}

std::optional<std::string> HandOverLink::take_line() {
    const std::size_t end = octets_.find('\n');
    if (end == std::string::npos) {
        return std::nullopt;
    }
    std::string line = octets_.substr(0, end);
    octets_.erase(0, end + 1);
    return line;
}

Result<std::optional<std::string>> HandOverLink::try_line() {
    for (;;) {
        if (auto line = take_line()) {
            return line;
        }
        if (octets_.size() > line_max) {
            return fail(Errc::protocol, "hand-over: unexpected answer of the other program");
        }
        auto more = read_some();
        if (!more) {
            return std::unexpected(std::move(more.error()));
        }
        if (!*more) {
            return std::nullopt;
        }
    }
}

Result<std::string> HandOverLink::line(SteadyTime deadline) {
    for (;;) {
        auto line = try_line();
        if (!line) {
            return std::unexpected(std::move(line.error()));
        }
        if (*line) {
            return **std::move(line);
        }
        if (auto waited = wait(POLLIN, deadline); !waited) {
            return std::unexpected(std::move(waited.error()));
        }
    }
}

Result<> HandOverLink::write(std::string_view octets, SteadyTime deadline) {
    while (!octets.empty()) {
        const auto put =
            ::send(socket_.get(), octets.data(), octets.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put > 0) {
            octets.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno != EAGAIN && errno != EINTR) {
            return gone(errno);
        } else if (auto waited = wait(POLLOUT, deadline); !waited) {
            return waited;
        }
    }
    return {};
}

Result<> HandOverLink::send_line(std::string_view line, SteadyTime deadline) {
    return write(std::string(line) + "\n", deadline);
}

Result<> HandOverLink::send_descriptors(const std::vector<int>& all, SteadyTime deadline) {
    for (std::span<const int> left(all); !left.empty();) {
        const auto some = left.first(std::min(left.size(), descriptors_a_message));
        Control control;
        char mark = '#';
        iovec part{.iov_base = &mark, .iov_len = 1};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control.octets.data();
        message.msg_controllen = CMSG_SPACE(some.size_bytes());
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(some.size_bytes());
        std::memcpy(CMSG_DATA(header), some.data(), some.size_bytes());
        const auto put = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put == 1) {
            left = left.subspan(some.size());
        } else if (errno != EAGAIN && errno != EINTR) {
            return gone(errno);
        } else if (auto waited = wait(POLLOUT, deadline); !waited) {
            return waited;
        }
    }
    return {};
}

Result<> HandOverLink::send(const HandOver& hand_over, SteadyTime deadline) {
    const HandOverText state = encode(hand_over);
    const wire::Json head{
        {"state", {{"octets", state.text.size()}, {"descriptors", state.descriptors.size()}}}};
    if (auto sent = send_line(head.dump(), deadline); !sent) {
        return sent;
    }
    if (auto sent = send_descriptors(state.descriptors, deadline); !sent) {
        return sent;
    }
    return write(state.text, deadline);
}

Result<HandOver> HandOverLink::receive(SteadyTime deadline) {
    const auto head = line(deadline);
    if (!head) {
        return std::unexpected(head.error());
    }
    const auto json = object_of(*head);
    if (!json || !json->contains("state") || !(*json)["state"].is_object()) {
        return fail(Errc::protocol, "hand-over: unexpected answer of the old program");
    }
    const auto number = [state = (*json)["state"]](const char* name) {
        const auto found = state.find(name);
        return found != state.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
    };
    const std::size_t octets = number("octets");
    const std::size_t descriptors = number("descriptors");
    const std::size_t marks = (descriptors + descriptors_a_message - 1) / descriptors_a_message;
    if (octets == 0 || octets > state_max) {
        return fail(Errc::protocol, "hand-over: the size of the state is out of range");
    }
    while (octets_.size() < marks + octets) {
        auto more = read_some();
        if (!more) {
            return std::unexpected(std::move(more.error()));
        }
        if (*more) {
            continue;
        }
        if (auto waited = wait(POLLIN, deadline); !waited) {
            return std::unexpected(std::move(waited.error()));
        }
    }
    if (descriptors_.size() != descriptors) {
        return fail(Errc::protocol, "hand-over: descriptors were lost");
    }
    auto hand_over =
        decode(std::string_view(octets_).substr(marks, octets), std::exchange(descriptors_, {}));
    octets_.erase(0, marks + octets);
    return hand_over;
}

std::string hello_line(const Hello& hello) {
    return wire::Json{
        {"hello",
         {{"protocol", hello.protocol}, {"version", hello.version}, {"schema", hello.schema}}}}
        .dump();
}

Result<Hello> read_hello(std::string_view line) {
    const auto json = object_of(line);
    if (!json || !json->contains("hello") || !(*json)["hello"].is_object()) {
        return fail(Errc::protocol,
                    "it is not an smsrackd that supports hand-over: unexpected answer");
    }
    const wire::Json& hello = (*json)["hello"];
    const auto number = [&](const char* name) {
        const auto found = hello.find(name);
        return found != hello.end() && found->is_number_integer() ? found->get<int>() : -1;
    };
    const auto version = hello.find("version");
    return Hello{.protocol = number("protocol"),
                 .version = version != hello.end() && version->is_string()
                                ? version->get<std::string>()
                                : std::string("?"),
                 .schema = number("schema")};
}

bool says(std::string_view line, std::string_view word) {
    const auto json = object_of(line);
    return json && json->contains(word);
}

std::string line_of(std::string_view word) {
    return wire::Json{{std::string(word), true}}.dump();
}

std::string failed_line(std::string_view words) {
    return wire::Json{{"failed", words}}.dump(-1, ' ', false, wire::Json::error_handler_t::replace);
}

std::optional<std::string> failure_of(std::string_view line) {
    const auto json = object_of(line);
    if (!json || !json->contains("failed") || !(*json)["failed"].is_string()) {
        return std::nullopt;
    }
    return (*json)["failed"].get<std::string>();
}

}  // namespace smsrack::host
