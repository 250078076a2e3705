/// Classifies a line from the modem: exactly one class, decided before any command sees the line.
///
/// Source:  ITU-T V.250 5.7 (result codes), 3GPP TS 27.005 3.4 (URCs with a PDU line).
#pragma once

#include "drivers/at/final_result.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace smsrack::at {

enum class LineKind : std::uint8_t {
    echo,
    prompt,
    intermediate,  ///< an information line with the prefix of the command in flight
    final_result,
    urc,
    data,  ///< anything else: of the command in flight if it takes such lines, else noise
};

/// One unsolicited result code.
struct UrcRule {
    std::string_view prefix;
    bool takes_pdu = false;  ///< the next line is its PDU
    std::uint8_t tag = 0;    ///< what it means to the owner of the rule
};

/// The command in flight, as far as it decides what a line is; the default: none.
struct LineContext {
    std::string_view echo = {};  ///< what was written and may still be echoed; empty: nothing
    std::string_view prefix = {};
    bool (*is_answer)(std::string_view line) = nullptr;
};

/// The rule that the line begins with, or null.
[[nodiscard]] inline const UrcRule* find_urc(std::string_view line, std::span<const UrcRule> urcs) {
    for (const auto& rule : urcs) {
        if (line.starts_with(rule.prefix)) {
            return &rule;
        }
    }
    return nullptr;
}

/// `line` without the prompt, which the framer has found already.
[[nodiscard]] inline LineKind classify(std::string_view line, const LineContext& context,
                                       std::span<const UrcRule> urcs) {
    if (!context.echo.empty() && line == context.echo) {
        return LineKind::echo;
    }
    if (parse_final_result(line)) {
        return LineKind::final_result;
    }
    if (!context.prefix.empty() && line.starts_with(context.prefix) &&
        (context.is_answer == nullptr || context.is_answer(line))) {
        return LineKind::intermediate;
    }
    if (find_urc(line, urcs) != nullptr) {
        return LineKind::urc;
    }
    return LineKind::data;
}

}  // namespace smsrack::at
