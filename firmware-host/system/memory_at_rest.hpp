/// Returns free heap memory to the system when there is little to do; otherwise the process would
/// keep it.
///
/// Judged by processor time, which whatever it does takes: a busy process needs the memory again at once.
/// Threads: the loop thread. Giving back takes less than a millisecond where the heap has a few
///          MiB; meanwhile other allocations wait.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace smsrack::host {

class MemoryAtRest {
public:
    static constexpr std::chrono::seconds look_period{1};
    /// At most this much of a core since the last look: at rest. More since it was last given back:
    /// worth doing again. Some 15 messages.
    static constexpr std::chrono::milliseconds little{20};

    struct Process {
        std::function<std::chrono::nanoseconds()> cpu_time;  ///< of all its threads
        std::function<void()> give_back;
    };

    explicit MemoryAtRest(Process process) : process_(std::move(process)) {}

    /// Every look_period.
    void look();

private:
    const Process process_;
    std::chrono::nanoseconds at_last_look_{0};
    std::chrono::nanoseconds at_last_given_{0};
};

/// The one that runs.
[[nodiscard]] MemoryAtRest::Process this_process();

}  // namespace smsrack::host
