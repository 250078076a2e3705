/// May the SIM be used? What the answer to AT+CPIN? says of it.
///
/// Threads: any.
/// Source:  3GPP TS 27.007 8.3, 9.2; TS 27.005 3.2.5.
#pragma once

#include "drivers/at/final_result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gsm {

enum class SimState : std::uint8_t {
    ready,
    locked,    ///< it wants its PIN
    unusable,  ///< until a person does something about it
    starting,  ///< it will know in a moment
};

struct SimVerdict {
    SimState state = SimState::starting;
    std::string_view reason = {};  ///< of unusable: "sim_absent"
    std::string detail = {};       ///< of unusable, for people
};

/// `pin_state`: READY, SIM PIN, ...; nullopt: the answer had none.
[[nodiscard]] SimVerdict judge_sim(at::FinalResult result,
                                   const std::optional<std::string>& pin_state);

}  // namespace smsrack::gsm
