/// AT scripts as data: a table of steps, each with what to do if it is refused.
#pragma once

#include "drivers/at/command.hpp"

#include <cstdint>

namespace smsrack::at {

enum class Need : std::uint8_t {
    required,  ///< refused: the script ends
    optional,  ///< refused: the modem does not know it; continue
};

/// `Id` names the step for the code that reads its answer.
template <typename Id>
struct ScriptStep {
    Id id;
    Command command;
    Need need = Need::required;
};

}  // namespace smsrack::at
