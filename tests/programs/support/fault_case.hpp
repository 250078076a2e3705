/// A fault on one line of a rack under load: what is done, what it may cost, and how the
/// neighbouring lines are measured.
///
/// Time:    windows of the machine's own clock, of which smsrack-sim's log uses too.
#pragma once

#include "src/wire/json.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace smsrack::test {

/// An order on smsrack-sim's control socket, without the modem.
struct FaultOrder {
    std::chrono::milliseconds at = {};  ///< after the window with the fault began
    wire::Json order = {};
};

struct FaultCase {
    const char* name;
    std::vector<FaultOrder> begin;
    std::vector<wire::Json> end = {};  ///< when the window is over
    int unknown = 0;                   ///< messages whose outcome stays unknown, at most
    int refused = 0;                   ///< messages that the network will not have, exactly
    bool back = true;                  ///< the line sends again, without a hand on the service
    int undecodable = 0;               ///< unreadable PDUs, in the inbox
    const char* pin = "";              ///< in the modem's configuration
};

/// Runs the cases one after the other, each on a line of its own, with some neighbouring lines to
/// which nothing is done, and checks: each line comes back that should; the lines not yet touched
/// are as fast while the fault lasts as before and after it, within 2 %; at the end every accepted
/// message has ended, what the service says of it is what the network got, none went twice, and
/// each that was received is in the inbox once.
void run_fault_cases(const std::vector<FaultCase>& cases);

}  // namespace smsrack::test
