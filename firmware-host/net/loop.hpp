/// The event loop of the service: libuv, which only this folder uses.
///
/// Making one ignores SIGPIPE for the whole process: a client that went away is an error of its
/// write.
/// Threads: post() and stop() by any; everything else on the thread that calls run(). Callbacks
/// never wait and never throw:
///          an exception in one ends the process.
#pragma once

#include "src/base/executor.hpp"
#include "src/base/interface.hpp"

#include <chrono>
#include <functional>
#include <memory>

struct uv_loop_s;  // NOLINT(readability-identifier-naming): libuv's own name

namespace smsrack::net {

/// Ends its timer, signal or descriptor watch when it goes.
class LoopWatch : public Interface {};
using LoopWatchPtr = std::unique_ptr<LoopWatch>;

class Loop final : public Executor {
public:
    Loop();
    /// Runs what is left to close; nothing may use the loop any more, and no other thread may post.
    ~Loop() override;

    /// Until stop().
    void run();
    void stop();

    /// Only the first job of a batch wakes the loop; jobs run in order, in one go.
    void post(Job job) override;

    [[nodiscard]] LoopWatchPtr after(std::chrono::milliseconds delay,
                                     std::function<void()> callback);
    [[nodiscard]] LoopWatchPtr every(std::chrono::milliseconds period,
                                     std::function<void()> callback);
    [[nodiscard]] LoopWatchPtr on_signal(int signal_number, std::function<void()> callback);

    /// While there is something to read from `fd`, which outlives the watch.
    [[nodiscard]] LoopWatchPtr on_readable(int fd, std::function<void()> callback);

    /// At the end of each turn, before the loop waits. The newest runs first.
    [[nodiscard]] LoopWatchPtr before_wait(std::function<void()> callback);

    /// For the other files of this folder.
    [[nodiscard]] uv_loop_s* raw() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace smsrack::net
