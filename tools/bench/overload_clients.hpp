/// Clients of an overloaded rack: each sends messages at random times, and is refused or not. They
/// start one after the other in the first third of the time.
///
/// Some obey Retry-After and come back with the same message at that time, the others give up.
/// Threads: one a client, ended when run_clients() returns.
/// Errors:  what HttpClient answers; protocol: an answer that is neither 202 nor 503; closed: called off.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/sms/level.hpp"
#include "tools/rig/interrupt.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace smsrack::bench {

struct ClientPlan {
    std::filesystem::path socket = {};
    unsigned clients = 8;
    double per_second = 1;  ///< new messages, of all clients together
    std::chrono::seconds lasting{30};
    std::array<double, level_count> shares = {};  ///< of the messages, by level; together 1
    double polite = 0.5;                          ///< share that comes back at its time
    std::uint64_t seed = 1;
};

struct AcceptedMessage {
    std::string to = {};
    Level level = 0;
    SteadyTime at = {};  ///< when it was asked for
};

struct ClientResult {
    SteadyTime began = {};
    std::size_t offered = 0;  ///< new messages
    std::size_t refused = 0;  ///< 503
    std::size_t obeyed = 0;   ///< came back at its time
    std::size_t accepted_then = 0;
    std::vector<AcceptedMessage> accepted = {};
};

[[nodiscard]] Result<ClientResult> run_clients(const ClientPlan& plan,
                                               const rig::Interrupt& interrupt);

}  // namespace smsrack::bench
