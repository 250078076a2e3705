/// The outcome of one submit (one segment handed to a modem).
///
/// Source:  3GPP TS 27.005 (+CMGS, +CMS ERROR); docs/field.md, "Sending" and "Error codes".
#pragma once

#include "src/base/members.hpp"

#include <cstdint>

namespace smsrack {

/// The numbers are stored: never change one.
enum class OutcomeKind : std::uint8_t {
    open = 0,      ///< on its way: the row of an attempt whose end is not known yet
    accepted = 1,  ///< +CMGS: the network took it
    refused = 2,   ///< the modem or the network said no: nothing was accepted
    not_sent = 3,  ///< nothing left the modem: no prompt, withheld, port lost before the PDU
    unknown = 4,   ///< the PDU went out and no answer can be trusted
};

enum class CodeKind : std::uint8_t { none = 0, cms = 1, cme = 2, tp_status = 3, plain_error = 4 };

/// A cause as the modem or the network gave it.
struct Cause {
    CodeKind kind = CodeKind::none;
    std::int32_t code = 0;
    SMSRACK_MEMBERS(kind, code);
};

struct SubmitOutcome {
    OutcomeKind kind = OutcomeKind::unknown;
    std::uint8_t tp_mr = 0;  ///< with accepted: the reference that the modem gave
    bool has_tp_mr = false;
    Cause cause = {};  ///< with refused, not_sent, unknown: why, as far as it was said
    SMSRACK_MEMBERS(kind, tp_mr, has_tp_mr, cause);
};

}  // namespace smsrack
