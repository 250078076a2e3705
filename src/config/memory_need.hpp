/// Estimates the memory that a configuration may make the service use, so that a limit of the
/// system is not set below it.
///
/// Unit:    octets: resident memory, and what the kernel holds for connections.
/// Errors:  none. Filters of triggers grow with the numbers that come and are not in it: smsrack.toml(5) says their size.
#pragma once

#include "src/config/settings.hpp"

#include <cstdint>

namespace smsrack::config {

[[nodiscard]] std::uint64_t memory_need(const Settings& settings);

}  // namespace smsrack::config
