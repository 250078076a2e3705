/// State of a disconnected front end that one process hands over to the next, where its disconnect
/// timer continues.
///
/// A connected client is handed over with its connection, and registers again.
/// Time:    steady times are of the machine, so they hold in another process of the same boot.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/members.hpp"
#include "src/sms/event.hpp"

#include <string>

namespace smsrack::notify {

struct FrontEndCarried {
    std::string name = {};
    ClientId id = {};
    SteadyTime stop_at = {};
    WallTime since = {};  ///< it is away
    WallTime heard_at = {};
    SMSRACK_MEMBERS(name, id, stop_at, since, heard_at);
};

}  // namespace smsrack::notify
