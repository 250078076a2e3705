/// Causes as data: class, meaning, advice. What happens next follows the class.
///
/// Source:  3GPP TS 27.005 3.2.5 and TS 23.040 9.2.3.15; the classes are our judgement (design
/// field.md 4.5, 4.6).
#pragma once

#include "src/sms/message_states.hpp"
#include "src/sms/outcome.hpp"

#include <cstdint>
#include <string_view>

namespace smsrack {

enum class CauseClass : std::uint8_t {
    none,
    permanent,  ///< fail the message
    transient,  ///< try again later, another line allowed
    modem,      ///< this modem or SIM is at fault: another line
    network,    ///< the network is at fault: later
    ambiguous,  ///< may have been sent: uncertain
    quota,      ///< the SIM is barred or spent: another line
    bug,        ///< our mistake: fail and log loudly
};

[[nodiscard]] std::string_view cause_class_name(CauseClass cause_class);

struct CauseInfo {
    CauseClass cause_class = CauseClass::transient;
    std::string_view meaning;
    std::string_view advice;
};

/// Never fails: a code that is not in the table is of the class of its range.
/// `pdu_sent`: the PDU had gone out when the cause came; some codes are ambiguous only then.
[[nodiscard]] CauseInfo cause_info(Cause cause, bool pdu_sent);

/// What a status report says of its segment: nothing yet (temporary, the centre still tries), or
/// its end. 0x01 (forwarded, delivery can't be confirmed) says nothing: the segment stays sent.
[[nodiscard]] std::optional<MessageEvent> tp_status_event(std::uint8_t tp_status);

}  // namespace smsrack
