#include "tools/rig/event_tap.hpp"

#include "tools/client/http_client.hpp"
#include "tools/client/sse_reader.hpp"

#include <cerrno>
#include <sys/eventfd.h>
#include <unistd.h>

namespace smsrack::rig {

using std::chrono::steady_clock;

EventTap::~EventTap() {
    if (stop_) {
        constexpr std::uint64_t one = 1;
        [[maybe_unused]] const auto told = ::write(stop_.get(), &one, sizeof(one));
    }
}

Result<> EventTap::listen(const std::filesystem::path& socket, const std::string& type) {
    stop_ = client::UniqueFd(eventfd(0, EFD_CLOEXEC));
    if (!stop_) {
        return fail(Errc::internal, "eventfd", errno);
    }
    reader_ = std::jthread([this, path = socket.string(), target = "/v1/events?types=" + type] {
        read(path, target);
    });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_ || over_; });
    return open_ ? Result<>{} : ended_;
}

void EventTap::read(const std::string& socket, const std::string& target) {
    client::HttpClient client(
        socket, {.idle_timeout = std::chrono::milliseconds(0), .stop_fd = stop_.get()});
    client::SseReader events;
    const auto reply = client.stream({.target = target}, {}, [&](std::string_view piece) {
        const auto now = steady_clock::now();
        const std::scoped_lock lock(mutex_);
        open_ = true;
        const auto fed =
            events.feed(piece, [&](const client::SseEvent&) { arrivals_.push_back(now); });
        changed_.notify_all();
        return fed.has_value();
    });
    const std::scoped_lock lock(mutex_);
    over_ = true;
    ended_ = reply ? fail(Errc::protocol, "the events ended") : std::unexpected(reply.error());
    changed_.notify_all();
}

bool EventTap::wait_for(std::size_t count, std::chrono::milliseconds within) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, within, [&] { return arrivals_.size() >= count || over_; }) &&
           arrivals_.size() >= count;
}

std::vector<SteadyTime> EventTap::arrivals() const {
    const std::scoped_lock lock(mutex_);
    return arrivals_;
}

}  // namespace smsrack::rig
