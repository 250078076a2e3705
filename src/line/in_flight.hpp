/// The one submit that a line has in hand, and the last one that it gave up on.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/result.hpp"
#include "src/line/sim_quota.hpp"
#include "src/ports/modem.hpp"
#include "src/queue/slot_pool.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace smsrack::line {

/// Done when both have come: the store's answer about the attempt, and the modem's about the
/// submit.
struct InFlight {
    queue::SlotNumber slot = 0;
    std::uint8_t segment = 0;
    bool reads_first = false;  ///< not begun: what came in is read before it
    std::optional<Result<AttemptId>> attempt = {};
    std::optional<ports::SubmitDone> submit = {};
    std::string diagnosis = {};                     ///< that came before the attempt was known
    std::optional<SimQuota::Counted> counted = {};  ///< with a quota, once begun
    SteadyTime begun = {};
    WallTime begun_at = {};    ///< the same moment
    SteadyTime answered = {};  ///< with submit
};

struct GivenUp {
    AttemptId attempt = {};
    MessageId message = {};
    std::uint8_t segment = 0;
    WallTime begun_at = {};
};

}  // namespace smsrack::line
