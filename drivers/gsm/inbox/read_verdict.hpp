/// What follows from one reading of a place (+CMGR).
///
/// Readings that differ were torn on their way, and the place is read again. Equal ones are what the modem
/// has. A refusal passes with time, or the next sweep finds the place again.
/// Threads: the line's thread.
/// Source:  3GPP TS 27.005 3.2.5 (321: there is nothing), 4.2.
#pragma once

#include "drivers/at/final_result.hpp"
#include "drivers/gsm/inbox/inbox_shelf.hpp"
#include "drivers/gsm/inbox/pdu_reading.hpp"
#include "drivers/gsm/inbox/place_trouble.hpp"

#include <chrono>
#include <cstdint>

namespace smsrack::gsm {

enum class ReadVerdict : std::uint8_t {
    whole,
    unreadable,  ///< torn, and the same again and again: it is kept as it is
    again,       ///< torn or refused: after ReadEnd::pause
    doubtful,    ///< an OK alone, which may be the late one of the command before
    gone,        ///< nothing is there
    not_ours,    ///< stored to be sent, not received
    given_up,    ///< refused too often: the next sweep sees whether it is still there
};

struct ReadEnd {
    ReadVerdict verdict = ReadVerdict::whole;
    std::chrono::milliseconds pause = std::chrono::milliseconds::zero();
};

/// To read one place that is refused; then it is given up.
inline constexpr int refused_reads_max = 3;

/// `result` is not timed_out. `trouble` counts the readings of this place that were no good.
[[nodiscard]] ReadEnd judge_reading(const PduReading& reading, at::FinalResult result, Place place,
                                    PlaceTrouble& trouble);

/// 3GPP TS 27.005 3.2.5: invalid memory index; there is nothing (any more).
[[nodiscard]] bool is_gone(at::FinalResult result);

}  // namespace smsrack::gsm
