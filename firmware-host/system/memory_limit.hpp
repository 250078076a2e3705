/// Compares the memory limit of systemd (MemoryMax=) or of a container with what the configuration
/// may need, so that the limit does not kill the service.
///
/// Unit:    octets.
#pragma once

#include "src/config/settings.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace smsrack::host {

/// The smallest of this process's control group and those above it; nullopt if there is none. `root`: of the file system.
[[nodiscard]] std::optional<std::uint64_t> memory_limit(const std::filesystem::path& root = "/");

/// Says on standard error what is too little, and what to do.
void warn_of_memory(const config::Settings& settings);

}  // namespace smsrack::host
