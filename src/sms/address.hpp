/// Telephone numbers in the form that this rack uses: "+33612345678" (E.164), "36180" (short code),
/// "*100#".
///
/// Source:  3GPP TS 23.040 9.1.2.5; E.164 (at most 15 digits).
#pragma once

#include "src/base/result.hpp"

#include <string>
#include <string_view>

namespace smsrack {

struct NumberPlan {
    std::string country = {};  ///< "+33", or empty: only E.164 and short codes are accepted
    std::string trunk = "0";   ///< one digit string dropped from national numbers
};

/// The one form that is stored and compared. Blanks, dots, dashes, slashes and brackets are
/// dropped; under a plan with a country "00" becomes "+", a national number gets its country, and the 0 of "+33 (0)6" goes;
/// 3 to 6 digits are a short code and stay as they are. bad_number: `context` says what is
/// wrong, without the number.
[[nodiscard]] Result<std::string> normalised_number(std::string_view input, const NumberPlan& plan);

/// Tolerant compare for reports and answers: equal digits, or the last 7 to 9 digits agree (as many
/// as the shorter one has, 9 at most); names by their letters. Never true for an empty one.
[[nodiscard]] bool same_subscriber(std::string_view a, std::string_view b);

}  // namespace smsrack
