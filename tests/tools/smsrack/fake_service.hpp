/// A service that gives prepared answers over a Unix socket, for the tests of commands.
///
/// Threads: answers on its own, one connection after the other (a connection that stays open is kept by its own thread).
#pragma once

#include "tests/support/temp_dir.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace smsrack::test {

struct FakeRequest {
    std::string line = {};  ///< "GET /v1/status"
    std::string body = {};  ///< chunked ones put together
};

class FakeService {
public:
    /// The whole answer, head and body; made by answer_json() and the like.
    using Answer = std::function<std::string(const FakeRequest&)>;

    explicit FakeService(Answer answer) : answer_(std::move(answer)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path().copy(address.sun_path, sizeof address.sun_path - 1);
        listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        ::listen(listener_, 16);
        acceptor_ = std::jthread([this] { accept_all(); });
    }
    FakeService(const FakeService&) = delete;
    FakeService& operator=(const FakeService&) = delete;
    ~FakeService() {
        ::shutdown(listener_, SHUT_RDWR);
        acceptor_.join();
        for (const int fd : open_) {
            ::shutdown(fd, SHUT_RDWR);
        }
        serving_.clear();
        ::close(listener_);
    }

    [[nodiscard]] std::string path() const { return (folder_.path() / "s.sock").string(); }

    /// The requests so far.
    [[nodiscard]] std::vector<FakeRequest> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }

private:
    void accept_all() {
        for (int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); fd >= 0;
             fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) {
            open_.push_back(fd);
            serving_.emplace_back([this, fd] { serve(fd); });
        }
    }

    void serve(int fd) {
        std::string input;
        for (;;) {
            const FakeRequest request = next_request(fd, input);
            if (request.line.empty()) {
                break;
            }
            {
                const std::lock_guard lock(mutex_);
                requests_.push_back(request);
            }
            const std::string answer = answer_(request);
            (void)::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
            if (answer.contains("text/event-stream")) {
                continue;  // stays open, says nothing more
            }
        }
        ::shutdown(fd, SHUT_RDWR);
    }

    static bool read_until(int fd, std::string& input, std::string_view end) {
        while (!input.contains(end)) {
            std::string piece(4'096, '\0');
            const ssize_t count = ::read(fd, piece.data(), piece.size());
            if (count <= 0) {
                return false;
            }
            input.append(piece, 0, static_cast<std::size_t>(count));
        }
        return true;
    }

    static std::string take(std::string& input, std::size_t size) {
        std::string taken = input.substr(0, size);
        input.erase(0, size);
        return taken;
    }

    static FakeRequest next_request(int fd, std::string& input) {
        if (!read_until(fd, input, "\r\n\r\n")) {
            return {};
        }
        const std::string head = take(input, input.find("\r\n\r\n") + 4);
        FakeRequest request{.line = head.substr(0, head.find(" HTTP/"))};
        if (head.contains("Transfer-Encoding: chunked")) {
            for (std::size_t size = 1; size > 0;) {
                if (!read_until(fd, input, "\r\n")) {
                    return {};
                }
                size = std::stoul(take(input, input.find("\r\n") + 2), nullptr, 16);
                while (input.size() < size + 2) {
                    std::string piece(65'536, '\0');
                    const ssize_t count = ::read(fd, piece.data(), piece.size());
                    if (count <= 0) {
                        return {};
                    }
                    input.append(piece, 0, static_cast<std::size_t>(count));
                }
                request.body += take(input, size + 2).substr(0, size);
            }
        } else if (const auto at = head.find("Content-Length: "); at != std::string::npos) {
            const std::size_t size = std::stoul(head.substr(at + 16));
            while (input.size() < size) {
                std::string piece(4'096, '\0');
                const ssize_t count = ::read(fd, piece.data(), piece.size());
                if (count <= 0) {
                    return {};
                }
                input.append(piece, 0, static_cast<std::size_t>(count));
            }
            request.body = take(input, size);
        }
        return request;
    }

    TempDir folder_;
    const Answer answer_;
    int listener_ = -1;
    mutable std::mutex mutex_;  // guards requests_
    std::vector<FakeRequest> requests_;
    std::vector<int> open_;              // the acceptor's, then the destructor's
    std::vector<std::jthread> serving_;  // the same
    std::jthread acceptor_;
};

/// An answer with `status`, such as "200 OK", and JSON; `head`: further header lines, each with
/// CRLF.
[[nodiscard]] inline std::string answer_json(std::string_view status, std::string_view body,
                                             std::string_view head = "") {
    return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: application/json\r\n" +
           std::string(head) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           std::string(body);
}

}  // namespace smsrack::test
