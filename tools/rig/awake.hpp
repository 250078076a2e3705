/// Keeps the processors from sleeping while it exists, if this process may. A processor of a
/// virtual machine needs 0.1 to 0.2 ms to wake, and each thread that a message passes would pay for
/// that instead of for its work.
///
/// Errors:  none: see held().
/// Source:  Linux, Documentation/power/pm_qos_interface: the request holds while the device is open; cyclictest does the same.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace smsrack::rig {

class Awake {
public:
    explicit Awake(const std::filesystem::path& device = "/dev/cpu_dma_latency");

    [[nodiscard]] bool held() const { return held_; }
    /// For a report's conditions.
    [[nodiscard]] std::string_view told() const;

private:
    std::ofstream device_;
    bool held_ = false;
};

}  // namespace smsrack::rig
