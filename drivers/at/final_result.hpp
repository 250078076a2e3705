/// The final result code of a command.
///
/// Source:  ITU-T V.250 5.7; 3GPP TS 27.005 3.2.5 (+CMS ERROR), TS 27.007 9 (+CME ERROR).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::at {

enum class FinalKind : std::uint8_t {
    ok,
    error,      ///< ERROR, without a cause
    cms_error,  ///< +CMS ERROR: n
    cme_error,  ///< +CME ERROR: n
    timed_out,  ///< none came before the deadline
};

struct FinalResult {
    FinalKind kind = FinalKind::ok;
    int code = 0;  ///< of +CMS and +CME ERROR
    friend bool operator==(const FinalResult&, const FinalResult&) = default;
};

/// Nullopt if `line` is not a final result code. A cause in words (+CMEE=2) or none counts as
/// "unknown": +CMS ERROR 500, +CME ERROR 100.
[[nodiscard]] std::optional<FinalResult> parse_final_result(std::string_view line);

/// "+CMS ERROR: 38", for people.
[[nodiscard]] std::string to_text(FinalResult result);

}  // namespace smsrack::at
