/// What a modem works without although its configuration asks for it. It costs time, and no message.
///
/// Threads: values.
#pragma once

#include "src/ports/modem_reason.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace smsrack::ports {

/// True: configured, and the modem works without it.
struct Fallbacks {
    bool push = false;       ///< it stores what it receives, and is read
    bool fast_baud = false;  ///< its port is at `baud`

    friend bool operator==(const Fallbacks&, const Fallbacks&) = default;
};

/// NAME is the modem's.
struct FallbackRow {
    bool Fallbacks::*what;
    ConditionKind kind;
    std::string_view text;
    std::string_view advice;

    [[nodiscard]] constexpr std::string_view name() const { return name_of(kind); }
};

inline constexpr std::array fallback_rows{
    FallbackRow{&Fallbacks::push, ConditionKind::push_off,
                "modem NAME stores what it receives, since it refuses to pass it on at once "
                "(AT+CSMS=1 or AT+CNMI): each message comes a little later, and is not lost",
                "`smsrack modem reset NAME` tries again; else set `push = false` for this modem, "
                "then `smsrack reload`"},
    FallbackRow{&Fallbacks::fast_baud, ConditionKind::fast_baud_off,
                "the port of modem NAME is at `baud`: modem, port or cable failed at `fast_baud`",
                "look at its cable, then `smsrack modem reset NAME` tries again; else set "
                "`fast_baud = 0` for this modem, then `smsrack reload`"},
};

/// The row whose condition has this name; nullptr if none has.
[[nodiscard]] constexpr const FallbackRow* find_fallback(std::string_view condition) {
    const auto* const row = std::ranges::find(fallback_rows, condition, &FallbackRow::name);
    return row == fallback_rows.end() ? nullptr : row;
}

}  // namespace smsrack::ports
