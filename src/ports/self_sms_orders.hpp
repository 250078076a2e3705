/// Sends a self-SMS on request, not by the clock: does a message of one of our SIMs reach another
/// one now?
///
/// Threads: any. `done` runs in the call where it is refused, else on the store's writing thread after the commit.
/// Errors:  conflict: as the rack is now it can't be, with the reason in words; queue_full, storage: as Store::accept.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/interface.hpp"
#include "src/base/result.hpp"

#include <functional>
#include <string>

namespace smsrack::ports {

/// Its message is `delivered` when the other SIM has it.
struct SelfSmsOrdered {
    MessageId id = {};
    std::string group = {};  ///< that sends it
    std::string to = {};     ///< line whose SIM shall get it
    WallTime expires_at = {};
};

class SelfSmsOrders : public Interface {
public:
    /// One message, of a line that may send now to the SIM of another one.
    virtual void order_self_sms(std::move_only_function<void(Result<SelfSmsOrdered>)> done) = 0;
};

}  // namespace smsrack::ports
