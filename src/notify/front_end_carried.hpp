/// A front end that was away when one run of the service left everything to the next: its disconnect timer goes on there.
///
/// Who is connected goes over with its connection, and registers again.
/// Time:    steady times are of the machine, so they hold in another process of the same boot.
#pragma once

#include "src/base/clock.hpp"
#include "src/sms/event.hpp"

#include <string>

namespace smsrack::notify {

struct FrontEndCarried {
    std::string name = {};
    ClientId id = {};
    SteadyTime stop_at = {};
    WallTime since = {};  ///< it is away
    WallTime heard_at = {};
};

}  // namespace smsrack::notify
