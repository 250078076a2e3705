/// A receiver of webhooks on loopback: takes events after a while, refuses them, or never answers;
/// and notes how old each is when it comes.
///
/// Unit:    ms from an event's own time, which is before its commit, so commits count too.
/// Threads: one for each connection; the calls from any thread.
/// Errors:  no_device: no port to be had.
#pragma once

#include "src/base/result.hpp"
#include "tools/client/unique_fd.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace smsrack::bench {

class HookReceiver {
public:
    enum class Manner : std::uint8_t { takes, refuses, deaf };

    [[nodiscard]] static Result<std::unique_ptr<HookReceiver>> open();
    HookReceiver(const HookReceiver&) = delete;
    HookReceiver& operator=(const HookReceiver&) = delete;
    /// Ends all connections.
    ~HookReceiver();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    void be(Manner manner) { manner_ = manner; }
    /// What it does before it answers takes so long.
    void think(std::chrono::milliseconds time) { think_ = time; }

    /// Events that came since forget(), with repeated ones; not tests.
    [[nodiscard]] std::size_t came() const;
    [[nodiscard]] std::vector<double> ages() const;
    void forget();

private:
    HookReceiver(client::UniqueFd listening, std::uint16_t port);
    void accept(const std::stop_token& stop);
    void serve(int fd);
    void note(std::string_view body);

    const client::UniqueFd listening_;
    const std::uint16_t port_;
    std::atomic<Manner> manner_ = Manner::takes;
    std::atomic<std::chrono::milliseconds> think_ = std::chrono::milliseconds(0);
    mutable std::mutex mutex_;  // guards ages_ and connections_
    std::vector<double> ages_;
    std::list<client::UniqueFd> connections_;
    std::vector<std::jthread> serving_;  // of the accepting thread until it has ended
    std::jthread accepting_;
};

}  // namespace smsrack::bench
