/// What overload protection has learnt of a group, in the form that one process hands over to the
/// next.
///
/// No row has it: without it the next run knows no rate until its first segment is through, and refuses what this one
/// accepted, or the other way round.
/// Unit:    samples are oldest first.
/// Time:    steady times are of the machine, so they hold in another process of the same boot.
/// Source:  docs/decisions/0016-overload-protection.md, 0018-hand-over.md.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/members.hpp"
#include "src/sms/level.hpp"
#include "src/stats/decaying_rate.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::overload {

/// A message of a level, or a probe, was through this long after it had come.
struct ResponseCarried {
    SteadyTime at = {};
    std::chrono::nanoseconds took = {};
    SMSRACK_MEMBERS(at, took);
};

/// One submit that was answered occupied its line for this long.
struct SubmitCarried {
    SteadyTime at = {};
    std::chrono::nanoseconds occupied = {};
    bool sent = false;
    SMSRACK_MEMBERS(at, occupied, sent);
};

/// The refused messages that wait for their time.
struct PromisesCarried {
    /// For each, high octets first: its hash (8), its time in nanoseconds (8), segments (4). As
    /// octets, since there may be 32,768 in a level, and clients wait while they are written and
    /// read.
    std::string waiting = {};
    double come_back = 1;
    double care = 0;
    SMSRACK_MEMBERS(waiting, come_back, care);
};

struct ProbeCarried {
    SteadyTime came = {};
    SteadyTime queued = {};
    std::uint64_t arrived = 0;
    SMSRACK_MEMBERS(came, queued, arrived);
};

struct LevelCarried {
    std::vector<ResponseCarried> responses = {};
    stats::DecayingRate::Carried accepted = {};
    std::uint64_t arrived = 0;
    PromisesCarried promises = {};
    std::optional<ProbeCarried> probe = {};
    SMSRACK_MEMBERS(responses, accepted, arrived, promises, probe);
};

struct GroupCarried {
    std::string name = {};
    std::vector<SubmitCarried> submits = {};
    std::optional<SteadyTime> no_line_since = {};
    std::array<LevelCarried, level_count> levels = {};
    SMSRACK_MEMBERS(name, submits, no_line_since, levels);
};

}  // namespace smsrack::overload
