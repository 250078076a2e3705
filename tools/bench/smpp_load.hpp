/// The load of SMPP clients of ours: submits that keep windows filled, or that come at a pace.
///
/// Threads: one.
/// Errors:  timeout: nothing was answered for five seconds; closed: the gate closed a session.
#pragma once

#include "src/base/result.hpp"
#include "src/smpp/pdu/message.hpp"
#include "tools/bench/questions.hpp"
#include "tools/rig/esme.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace smsrack::bench {

/// One client of ours, with what it waits for.
struct LoadSession {
    rig::Esme esme;
    std::unordered_map<std::uint32_t, std::chrono::steady_clock::time_point> asked = {};
};

struct Answered {
    std::size_t good = 0;
    std::size_t bad = 0;
    std::vector<double> ms = {};  ///< until each answer
};

struct Load {
    std::size_t sessions;
    std::size_t window;  ///< submits of a session in flight
    double pace = 0;     ///< submits a second of all; 0: as soon as the windows have room
};

/// The message of this number.
[[nodiscard]] smpp::Message numbered_message(std::size_t serial, std::uint8_t registered_delivery);

/// Each session keeps its window filled, or all together the pace, for so long.
[[nodiscard]] Result<Answered> load(const Context& context, std::vector<LoadSession>& sessions,
                                    const Load& how, std::chrono::seconds lasting);

}  // namespace smsrack::bench
