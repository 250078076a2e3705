/// Whether a line may be given messages, as a table.
///
/// Dispatch is notified when the line enters and leaves `ready`, and once more when its quota was
/// counted again, so the two never disagree. Which message the line sends is another question
/// (SubmitRun), and so is who is in its slot (SlotSeat). A pair that is not in the table changes
/// nothing.
/// Source:  [EBAS] listener, blocking.
#pragma once

#include "src/base/state_table.hpp"

#include <array>
#include <cstdint>

namespace smsrack::line {

enum class LineState : std::uint8_t {
    down,  ///< its modem cannot send: lost, asleep, or with a SIM that the slot must not have
    identifying,  ///< its modem can send, but the SIM or what it has used is not known
    claimed,  ///< it could send; an operator's command or a hand-over has it, or nothing any more
    ready,    ///< dispatch may give it messages, and it takes the next one by itself
    dozing,   ///< its modem was ordered to switch the radio off, and has not done so yet
};

enum class LineEvent : std::uint8_t {
    modem_ready,
    modem_lost,
    seat_unknown,  ///< the modem is ready with a SIM that the store must be asked about
    seat_known,
    claim,    ///< a command of the operator begins, or the line is held back
    release,  ///< neither of these two has it any more
    radio_off,
    radio_on,  ///< in time: the modem had not followed yet
};

inline constexpr std::array line_rules{
    Rule{LineState::down, LineEvent::modem_ready, LineState::identifying},
    Rule{LineState::identifying, LineEvent::seat_known, LineState::claimed},
    Rule{LineState::identifying, LineEvent::modem_lost, LineState::down},
    Rule{LineState::claimed, LineEvent::release, LineState::ready},
    Rule{LineState::claimed, LineEvent::seat_unknown, LineState::identifying},
    Rule{LineState::claimed, LineEvent::modem_lost, LineState::down},
    Rule{LineState::ready, LineEvent::seat_known, LineState::ready},  // its quota was counted again
    Rule{LineState::ready, LineEvent::claim, LineState::claimed},
    Rule{LineState::ready, LineEvent::radio_off, LineState::dozing},
    Rule{LineState::ready, LineEvent::seat_unknown, LineState::identifying},
    Rule{LineState::ready, LineEvent::modem_lost, LineState::down},
    Rule{LineState::dozing, LineEvent::radio_on, LineState::claimed},
    Rule{LineState::dozing, LineEvent::seat_known, LineState::claimed},  // the modem refused
    Rule{LineState::dozing, LineEvent::seat_unknown, LineState::identifying},
    Rule{LineState::dozing, LineEvent::modem_lost, LineState::down},
};

/// The one answer for dispatch and for the line itself.
[[nodiscard]] constexpr bool may_take(LineState state) {
    return state == LineState::ready;
}

}  // namespace smsrack::line
