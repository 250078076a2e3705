/// Executes one line of the control socket on the rack.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/wire/json.hpp"
#include "tools/modem_sim/rack.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

struct ControlAnswer {
    std::string line = {};  ///< {"ok":true,...} or {"ok":false,"error":"..."}
    bool quit = false;
};

/// Checks that it is an order that a rack of n modems knows: bad_request if not. What depends on
/// the moment is only found when it is run.
[[nodiscard]] Result<> check_order(std::size_t modems, const wire::Json& order);

/// Executes it. Returns its answer.
[[nodiscard]] Result<wire::Json> run_order(Rack& rack, SteadyTime now, const wire::Json& order);

[[nodiscard]] ControlAnswer run_control_line(Rack& rack, SteadyTime now, std::string_view line);

}  // namespace smsrack::modem_sim
