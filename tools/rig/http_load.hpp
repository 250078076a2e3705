/// Submits messages over the local socket in an open loop: each request is sent when it is due, on
/// any free keep-alive connection, and waits here while none is free.
///
/// Time:    a latency runs from when the request was due to its whole answer, so neither a slow
///          service nor a slow client hides waiting; it is rounded up to the next of our turns,
///          `turn` apart. One request at a time is on a connection, as with real clients.
/// Errors:  no_device; closed (the service closed a connection, or called off); protocol.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "tools/rig/arrivals.hpp"
#include "tools/rig/interrupt.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::rig {

/// Long enough to answer several at each wake-up, short compared with a commit to a disk.
inline constexpr std::chrono::microseconds turn(500);

struct LoadPlan {
    std::filesystem::path socket = {};
    unsigned connections = 64;
    Arrivals arrivals = {};
    unsigned run = 0;                                          ///< of MessageForm
    std::uint64_t first_serial = 0;                            ///< of MessageForm
    std::optional<unsigned> priority = {};                     ///< of MessageForm
    std::chrono::seconds patience = std::chrono::seconds(30);  ///< after the last was due
};

struct LoadResult {
    SteadyTime started = {};
    std::size_t accepted = 0;             ///< 202
    std::size_t refused = 0;              ///< any other status
    std::string first_refusal = {};       ///< status and body of the first of them
    std::size_t unanswered = 0;           ///< when patience ended
    std::vector<double> latency_ms = {};  ///< of the accepted
    double longest_gap_ms = 0;            ///< between two acceptances
    double seconds = 0;                   ///< from the start to the last answer
    double cpu_seconds = 0;               ///< of this client
};

[[nodiscard]] Result<LoadResult> run_load(const LoadPlan& plan, const Interrupt& interrupt);

}  // namespace smsrack::rig
