/// Commands as data: a table of steps, each with what to do when it is refused.
#pragma once

#include "drivers/at/command.hpp"

#include <cstdint>

namespace smsrack::at {

enum class Need : std::uint8_t {
    required,  ///< refused: the script can't go on
    optional,  ///< refused: a modem that does not know it, go on
};

/// `Id` names the step for the code that reads its answer.
template <typename Id>
struct ScriptStep {
    Id id;
    Command command;
    Need need = Need::required;
};

}  // namespace smsrack::at
