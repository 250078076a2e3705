#include "firmware-host/process/systemd_patience.hpp"

namespace smsrack::host {

SystemdPatience::SystemdPatience(const SystemdNotify& systemd, std::chrono::seconds limit,
                                 std::chrono::milliseconds period)
    : systemd_(systemd), end_(std::chrono::steady_clock::now() + limit), period_(period) {
    if (systemd.is_there()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
}

void SystemdPatience::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stopped_.wait_for(lock, stop, period_, [&] { return stop.stop_requested(); }) &&
           std::chrono::steady_clock::now() < end_) {
        systemd_.still_starting();
    }
}

}  // namespace smsrack::host
