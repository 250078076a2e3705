/// The AT commands that the modem knows, as tables; any other command is answered with ERROR.
///
/// Source:  ITU-T V.250, 3GPP TS 27.007, TS 27.005, and WAVECOM's own (+WIND, +CCID, +CPINC).
#pragma once

#include "tools/modem_model/answer.hpp"
#include "tools/modem_model/at_syntax.hpp"
#include "tools/modem_model/core.hpp"

#include <span>
#include <string_view>

namespace smsrack::modem_sim {

struct CommandRow {
    std::string_view name;
    Answer (*run)(Core& core, SteadyTime at, const AtCommand& command);
};

[[nodiscard]] std::span<const CommandRow> general_commands();
[[nodiscard]] std::span<const CommandRow> network_commands();
[[nodiscard]] std::span<const CommandRow> sms_commands();
[[nodiscard]] std::span<const CommandRow> sms_reading_commands();

/// Runs one command.
[[nodiscard]] Answer run_command(Core& core, SteadyTime at, const AtCommand& command);

}  // namespace smsrack::modem_sim
