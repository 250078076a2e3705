#include "tools/smsrack/triggers/feed_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {
namespace {

constexpr std::size_t read_size = std::size_t{64} * 1024;
constexpr std::chrono::milliseconds for_ever{-1};

}  // namespace

FeedReader::FeedReader(client::UniqueFd fd, int stop_fd) : fd_(std::move(fd)), stop_fd_(stop_fd) {}

bool FeedReader::skip(std::uint64_t lines) {
    while (lines > 0) {
        if (held_.empty() && read_some(for_ever) != Came::input) {
            return false;
        }
        std::size_t from = 0;
        for (; lines > 0; --lines, ++lines_) {
            const std::size_t end = held_.find('\n', from);
            if (end == std::string::npos) {
                from = held_.size();
                break;
            }
            from = end + 1;
        }
        octets_ += from;
        held_.erase(0, from);
    }
    return true;
}

bool FeedReader::begin_request() {
    if (held_.empty() && read_some(for_ever) != Came::input) {
        return false;
    }
    request_over_ = false;
    in_request_ = 0;
    until_ = std::chrono::steady_clock::now() + request_time;
    return true;
}

std::string FeedReader::next() {
    if (request_over_) {
        return {};
    }
    if (held_.empty()) {
        // What begins a line is waited for: a request ends at the end of one.
        const Came came = read_some(within_line_ ? for_ever : request_time);
        if (came != Came::input) {
            request_over_ = true;
            return {};
        }
    }
    std::string piece = std::exchange(held_, {});
    const bool enough =
        in_request_ + piece.size() >= request_octets || std::chrono::steady_clock::now() >= until_;
    const std::size_t end = piece.rfind('\n');
    if (enough && end != std::string::npos) {
        held_ = piece.substr(end + 1);
        piece.resize(end + 1);
        request_over_ = true;
    }
    count(piece);
    return piece;
}

void FeedReader::count(const std::string& piece) {
    lines_ += static_cast<std::uint64_t>(std::ranges::count(piece, '\n'));
    within_line_ = !piece.ends_with('\n');
    octets_ += piece.size();
    in_request_ += piece.size();
}

FeedReader::Came FeedReader::read_some(std::chrono::milliseconds patience) {
    if (ended_) {
        return Came::end;
    }
    std::array<pollfd, 2> fds{{{.fd = fd_.get(), .events = POLLIN, .revents = 0},
                               {.fd = stop_fd_, .events = POLLIN, .revents = 0}}};
    int ready = 0;
    do {
        ready = ::poll(fds.data(), fds.size(), static_cast<int>(patience.count()));
    } while (ready < 0 && errno == EINTR);
    if (fds[1].revents != 0) {
        stopped_ = true;
        ended_ = true;
        return Came::end;
    }
    if (ready == 0) {
        return Came::nothing;
    }
    held_.resize(read_size);
    ssize_t count = 0;
    do {
        count = ::read(fd_.get(), held_.data(), held_.size());
    } while (count < 0 && errno == EINTR);
    error_ = count < 0 ? errno : 0;
    held_.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    ended_ = count <= 0;
    return ended_ ? Came::end : Came::input;
}

}  // namespace smsrack::cli
