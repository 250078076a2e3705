/// The stages in the life of a line, in the words that operators read.
///
/// One word for each; the cause is given separately (reason, detail).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::ports {

enum class LineLife : std::uint8_t {
    absent,       ///< no device behind the port
    opening,      ///< the port is there; it is being opened, or rests before the next try
    identifying,  ///< being identified and set up
    sim_wait,     ///< no SIM that may be used: none, locked, or not the one expected
    registering,  ///< the network has not taken it yet
    ready,
    draining,  ///< out of step: brought back before anything else is said
    cooling,   ///< it could send, but its SIM is given a rest
    failed,    ///< out of service: all remedies were in vain; tried again, seldom, without end
    asleep,    ///< parked, and its radio is off; it listens now and then
};

inline constexpr std::array<std::string_view, 10> line_life_names{
    "absent", "opening",  "identifying", "sim_wait", "registering",
    "ready",  "draining", "cooling",     "failed",   "asleep"};

[[nodiscard]] constexpr std::string_view line_life_name(LineLife life) {
    return line_life_names.at(static_cast<std::size_t>(life));
}

}  // namespace smsrack::ports
