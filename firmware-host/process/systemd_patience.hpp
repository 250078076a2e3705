/// Tells systemd that this process works, while nothing else can: a start may copy and migrate a
/// large database before its loop runs.
///
/// As long as the object is there, and at most `limit`: a start that hangs longer is ended as any other.
/// Threads: one of its own.
#pragma once

#include "firmware-host/process/systemd_notify.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace smsrack::host {

class SystemdPatience {
public:
    static constexpr std::chrono::milliseconds usual_period{5'000};

    /// `systemd` outlives the object.
    SystemdPatience(const SystemdNotify& systemd, std::chrono::seconds limit,
                    std::chrono::milliseconds period = usual_period);

private:
    void run(const std::stop_token& stop);

    const SystemdNotify& systemd_;
    const std::chrono::steady_clock::time_point end_;
    const std::chrono::milliseconds period_;
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread thread_;
};

}  // namespace smsrack::host
