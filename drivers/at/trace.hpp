/// Receives both directions of a channel, line by line, as the channel understood them.
///
/// Threads: the channel's.
#pragma once

#include "drivers/at/line_class.hpp"

#include <string_view>

namespace smsrack::at {

class AtTrace {
public:
    AtTrace() = default;
    AtTrace(const AtTrace&) = delete;
    AtTrace& operator=(const AtTrace&) = delete;
    virtual ~AtTrace() = default;

    /// A command, a PDU, or ESC; without what ends it. The view ends with the call.
    virtual void wrote(std::string_view line) = 0;

    /// Each line is reported once, the prompt as "> ".
    virtual void heard(LineKind kind, std::string_view line) = 0;
};

}  // namespace smsrack::at
