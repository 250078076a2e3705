/// What can lock a SIM, or divert it: AT commands and codes that need the word of a person (`force`), as data.
///
/// A wrong PIN three times locks a card, a wrong PUK ten times ends it. A changed service centre or a call forwarding sends
/// what the card is for somewhere else. What only asks (AT+CPIN?, AT+CLCK="SC",2, *#21#) is no danger.
/// Threads: any.
/// Source:  3GPP TS 27.007 (+CPIN, +CLCK, +CPWD, +CCFC, +CSIM, +CRSM), TS 27.005 (+CSCA), TS 22.030 6.5 (procedures of codes).
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::gsm {

struct SimDanger {
    std::string_view does = {};  ///< "can lock the SIM"; empty: it is no danger
    bool has_secret = false;     ///< a PIN, PUK or password is part of it
};

/// Capital, and without the blanks that V.250 5.2.1 ignores; what is in quotes stays.
[[nodiscard]] std::string normalised_command(std::string_view command);

/// Of an AT command, or of several on one line.
[[nodiscard]] SimDanger danger_of_command(std::string_view command);

/// Of a code such as "*100#" or "**04*OLD*NEW*NEW#".
[[nodiscard]] SimDanger danger_of_code(std::string_view code);

/// Errors:  forbidden: it is a danger; `context` says which, and how to insist.
[[nodiscard]] Result<> refuse_danger(const SimDanger& danger);

}  // namespace smsrack::gsm
