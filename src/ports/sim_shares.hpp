/// What the other boxes of a fleet have sent by a SIM that is in this one now, and whether one of them has it, too.
///
/// A SIM takes its usage along into another box: this one sends nothing by it until it knows that.
/// Time:    by this box's clock.
/// Threads: any; `told` is called on the thread `cluster`, and only hands over.
#pragma once

#include "src/base/ids.hpp"
#include "src/base/interface.hpp"
#include "src/sms/sim_usage.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace smsrack::ports {

/// What another box has counted.
struct SimPart {
    /// Minutes and hours by this box's clock, day and month by that of the other one.
    SimUsage usage = {};
    /// Of this box's clock before the other one's; 0 also where it is not known.
    std::chrono::milliseconds lead{0};
};

struct SimShare {
    /// Another box that has a SIM of this ICCID, or this one in another slot: it sends nothing here. Empty: none has.
    std::string elsewhere = {};
    std::vector<SimPart> others = {};  ///< of each other box
    /// Hashes by month; of all boxes.
    std::map<std::int64_t, std::set<std::uint64_t>> recipients = {};
};

class SimShares : public Interface {
public:
    /// The SIM is in this line's slot, until leave() or another follow() of the line. `told` is called when it is known,
    /// which may be never, and again when it changes.
    /// `has_stayed`: it was in this slot all the time, also as the process before had it.
    virtual void follow(ModemId line, std::string iccid, bool has_stayed,
                        std::function<void(SimShare)> told) = 0;
    /// No SIM is in this line's slot.
    virtual void leave(ModemId line) = 0;
};

}  // namespace smsrack::ports
