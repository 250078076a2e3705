/// Finds what is wrong with one modem, from the service's report or from its port's answers. Pure.
#pragma once

#include "src/base/clock.hpp"
#include "src/config/modem_settings.hpp"
#include "src/wire/json.hpp"
#include "tools/smsrack/doctor/doctor_rights.hpp"
#include "tools/smsrack/doctor/finding.hpp"
#include "tools/smsrack/doctor/port_look.hpp"

#include <optional>

namespace smsrack::cli {

/// `modem`: an object of GET /v1/modems. `rights`: the accounts that may open its port, if the
/// service can't.
[[nodiscard]] Finding judge_served(const wire::Json& modem, const RightsWords& rights = {});

/// `rights`: the accounts that may open the port, if this process can't. `pin_refused_at`: when the
/// service entered a PIN that this SIM did not take.
[[nodiscard]] Finding judge_look(const config::ModemSettings& modem, const PortLook& look,
                                 const RightsWords& rights,
                                 std::optional<WallTime> pin_refused_at = std::nullopt);

}  // namespace smsrack::cli
