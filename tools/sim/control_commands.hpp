/// What one line of the control socket asks for, done to the rack.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/wire/json.hpp"
#include "tools/sim/rack.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::sim {

struct ControlAnswer {
    std::string line = {};  ///< {"ok":true,...} or {"ok":false,"error":"..."}
    bool quit = false;
};

/// Whether it is an order that a rack of so many modems knows: bad_request where it is not. What
/// depends on the moment is only found when it is run.
[[nodiscard]] Result<> check_order(std::size_t modems, const wire::Json& order);

/// Does it. Returns what it has to tell.
[[nodiscard]] Result<wire::Json> run_order(Rack& rack, SteadyTime now, const wire::Json& order);

[[nodiscard]] ControlAnswer run_control_line(Rack& rack, SteadyTime now, std::string_view line);

}  // namespace smsrack::sim
