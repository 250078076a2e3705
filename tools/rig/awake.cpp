#include "tools/rig/awake.hpp"

#include <array>
#include <cstdint>

namespace smsrack::rig {

Awake::Awake(const std::filesystem::path& device)
    : device_(device, std::ios::binary | std::ios::in | std::ios::out) {
    constexpr std::array<char, sizeof(std::int32_t)> latency_us{};  // none
    device_.write(latency_us.data(), latency_us.size());
    device_.flush();
    held_ = device_.good();
}

std::string_view Awake::told() const {
    return held_ ? "processors kept awake (/dev/cpu_dma_latency)"
                 : "processors may sleep (/dev/cpu_dma_latency is for root alone): up to 0.2 ms "
                   "more for each thread that a message goes through";
}

}  // namespace smsrack::rig
