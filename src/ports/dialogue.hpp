/// The most recent dialogue between a line and its modem, in readable words.
///
/// Threads: any; a call copies under a short lock.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"

#include <cstddef>
#include <string>

namespace smsrack::ports {

class Dialogue : public Interface {
public:
    /// What was said at `from` or later, at most the last `octets_max` of it, in whole lines:
    /// "10:02:03.456 > AT+CSQ" (UTC), "<" for what the modem said, "=" for what became of the line.
    [[nodiscard]] virtual std::string text(WallTime from, std::size_t octets_max) const = 0;
};

}  // namespace smsrack::ports
