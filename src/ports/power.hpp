/// The power of one modem: a relay or a power switch on the board. hw/power implements it; a line
/// without one works without it.
///
/// Time:    a call returns at once; how long the power stays off is the caller's.
/// Threads: the line's thread.
#pragma once

#include "src/base/interface.hpp"
#include "src/base/result.hpp"

namespace smsrack::ports {

class Power : public Interface {
public:
    /// Errors: no_device, not_allowed, busy; the power is as it was.
    [[nodiscard]] virtual Result<> switch_to(bool on) = 0;
};

}  // namespace smsrack::ports
