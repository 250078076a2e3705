/// Listens to the service's events and records when each came.
///
/// Threads: one of its own reads; the calls are for one other thread.
/// Errors:  those of HttpClient.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "tools/client/unique_fd.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace smsrack::rig {

class EventTap {
public:
    EventTap() = default;
    EventTap(const EventTap&) = delete;
    EventTap& operator=(const EventTap&) = delete;
    ~EventTap();

    /// Returns when the service has answered, so that nothing from now on is missed.
    [[nodiscard]] Result<> listen(const std::filesystem::path& socket, const std::string& type);

    /// False where there are not `count` of them after `within`.
    [[nodiscard]] bool wait_for(std::size_t count, std::chrono::milliseconds within);
    /// When each came, oldest first.
    [[nodiscard]] std::vector<SteadyTime> arrivals() const;

private:
    void read(const std::string& socket, const std::string& target);

    client::UniqueFd stop_;     // readable: the reader ends
    mutable std::mutex mutex_;  // guards the rest
    std::condition_variable changed_;
    std::vector<SteadyTime> arrivals_;
    bool open_ = false;
    bool over_ = false;
    Result<> ended_ = {};
    std::jthread reader_;  // last: it uses all others
};

}  // namespace smsrack::rig
