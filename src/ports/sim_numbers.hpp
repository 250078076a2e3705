/// The SIMs that are in the rack now, by their own numbers.
///
/// Threads: any.
#pragma once

#include "src/base/interface.hpp"
#include "src/sms/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::ports {

struct SimInRack {
    SimCard card = {};
    std::string group = {};  ///< that its line is in
};

class SimNumbers : public Interface {
public:
    /// nullopt: no SIM is known to have this number.
    [[nodiscard]] virtual std::optional<SimInRack> sim_with(std::string_view number) const = 0;
    /// Every modem has told its SIM since the process began: a number that is not known is not ours.
    [[nodiscard]] virtual bool all_told() const = 0;
};

}  // namespace smsrack::ports
