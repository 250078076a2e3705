/// Which AT commands the operator may give, as data: what is refused and why, and what is
/// followed by the line setting itself up again.
///
/// What only reads changes nothing. What sets anything may have changed what the line relies on, so
/// after it the line begins again with AT; that costs a second and no message.
/// Errors:  bad_request, with the reason; forbidden: it can lock or divert the SIM, and is not forced (sim_danger).
/// Source:  3GPP TS 27.005, TS 27.007; ITU-T V.250 5.2, 5.4.
#pragma once

#include "src/base/result.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::gsm {

struct HandPlan {
    std::string text = {};    ///< as it is written to the modem, without CR
    std::string prefix = {};  ///< of its information lines; empty for basic commands
    std::chrono::milliseconds timeout{10'000};
    bool sets_up_anew = false;
};

/// How a command ends: AT+X? reads, AT+X=? tests, AT+X=... sets, AT+X does. A refusal may be about any of them.
enum class HandForm : std::uint8_t { any, reading, test, setting, executing };

struct HandRefusal {
    std::string_view name;  ///< with its plus
    HandForm form;
    std::string_view why;
};

/// The most characters: a PIN, a number, two dozen parameters.
inline constexpr std::size_t hand_command_max = 200;

/// `of_family`: what this family must not be given, besides what no modem may. `force`: also what can lock or
/// divert the SIM.
[[nodiscard]] Result<HandPlan> plan_of(std::string_view command,
                                       std::span<const HandRefusal> of_family, bool force = false);

}  // namespace smsrack::gsm
