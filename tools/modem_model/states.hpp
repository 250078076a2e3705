/// The two state tables of a modem: its power and SIM, and how it interprets the host's octets.
#pragma once

#include "src/base/state_table.hpp"

#include <array>
#include <cstdint>

namespace smsrack::modem_sim {

enum class Life : std::uint8_t {
    off,
    starting,     ///< hears nothing
    limited,      ///< AT commands without SMS; stays here without a usable SIM
    initialised,  ///< all commands, not registered yet
    ready,
};
enum class LifeEvent : std::uint8_t {
    power_on,
    wind3,
    wind4,
    wind16,
    restart,
    power_off,
    card_out
};

inline constexpr std::array life_rules{
    Rule<Life, LifeEvent>{Life::off, LifeEvent::power_on, Life::starting},
    Rule<Life, LifeEvent>{Life::starting, LifeEvent::wind3, Life::limited},
    Rule<Life, LifeEvent>{Life::limited, LifeEvent::wind4, Life::initialised},
    Rule<Life, LifeEvent>{Life::initialised, LifeEvent::wind16, Life::ready},
    Rule<Life, LifeEvent>{Life::limited, LifeEvent::card_out, Life::limited},
    Rule<Life, LifeEvent>{Life::initialised, LifeEvent::card_out, Life::limited},
    Rule<Life, LifeEvent>{Life::ready, LifeEvent::card_out, Life::limited},
    Rule<Life, LifeEvent>{Life::starting, LifeEvent::restart, Life::starting},
    Rule<Life, LifeEvent>{Life::limited, LifeEvent::restart, Life::starting},
    Rule<Life, LifeEvent>{Life::initialised, LifeEvent::restart, Life::starting},
    Rule<Life, LifeEvent>{Life::ready, LifeEvent::restart, Life::starting},
    Rule<Life, LifeEvent>{Life::starting, LifeEvent::power_off, Life::off},
    Rule<Life, LifeEvent>{Life::limited, LifeEvent::power_off, Life::off},
    Rule<Life, LifeEvent>{Life::initialised, LifeEvent::power_off, Life::off},
    Rule<Life, LifeEvent>{Life::ready, LifeEvent::power_off, Life::off},
};

/// What the network makes of the SIM.
enum class Coverage : std::uint8_t { home, roaming, denied, lost };

enum class InputMode : std::uint8_t {
    command,
    entry,  ///< after the prompt: a PDU or text, up to Ctrl-Z or ESC
    busy,   ///< a submit is with the network, or the SIM erases; octets wait
};
enum class InputEvent : std::uint8_t {
    prompt,
    escape,
    refused,
    stored,
    submitted,
    erasing,
    answered,
    reset
};

inline constexpr std::array input_rules{
    Rule<InputMode, InputEvent>{InputMode::command, InputEvent::prompt, InputMode::entry},
    // CMSS
    Rule<InputMode, InputEvent>{InputMode::command, InputEvent::submitted, InputMode::busy},
    Rule<InputMode, InputEvent>{InputMode::command, InputEvent::erasing, InputMode::busy},
    Rule<InputMode, InputEvent>{InputMode::entry, InputEvent::escape, InputMode::command},
    Rule<InputMode, InputEvent>{InputMode::entry, InputEvent::refused, InputMode::command},
    Rule<InputMode, InputEvent>{InputMode::entry, InputEvent::stored, InputMode::command},  // CMGW
    Rule<InputMode, InputEvent>{InputMode::entry, InputEvent::submitted, InputMode::busy},
    Rule<InputMode, InputEvent>{InputMode::busy, InputEvent::answered, InputMode::command},
    Rule<InputMode, InputEvent>{InputMode::command, InputEvent::reset, InputMode::command},
    Rule<InputMode, InputEvent>{InputMode::entry, InputEvent::reset, InputMode::command},
    Rule<InputMode, InputEvent>{InputMode::busy, InputEvent::reset, InputMode::command},
};

}  // namespace smsrack::modem_sim
