/// Counters of a line since its service was first started, for the table of lines.
#pragma once

#include "src/ports/incident.hpp"

#include <array>
#include <cstdint>

namespace smsrack::line {

struct LineCounts {
    std::uint64_t accepted = 0;
    std::uint64_t failed = 0;
    std::uint64_t received = 0;
    std::array<std::uint64_t, ports::incident_count> incidents = {};
};

}  // namespace smsrack::line
