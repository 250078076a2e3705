/// What one line of the control socket asks for, done to the rack.
#pragma once

#include "src/base/clock.hpp"
#include "tools/sim/rack.hpp"

#include <string>
#include <string_view>

namespace smsrack::sim {

struct ControlAnswer {
    std::string line = {};  ///< {"ok":true,...} or {"ok":false,"error":"..."}
    bool quit = false;
};

[[nodiscard]] ControlAnswer run_control_line(Rack& rack, SteadyTime now, std::string_view line);

}  // namespace smsrack::sim
