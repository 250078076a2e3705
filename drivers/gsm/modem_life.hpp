/// What follows from each trigger: the next state of the table (modem_states), and what is done on entering it.
///
/// Threads: the line's thread.
#pragma once

#include "drivers/gsm/conversation.hpp"
#include "drivers/gsm/last_seen.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/modem_states.hpp"
#include "drivers/gsm/modem_status.hpp"
#include "drivers/gsm/port_keeper.hpp"
#include "drivers/gsm/profile.hpp"
#include "drivers/gsm/reporter.hpp"
#include "src/base/clock.hpp"

namespace smsrack::gsm {

class ModemLife {
public:
    /// All outlive this object.
    ModemLife(const Profile& profile, const ModemSettings& settings, ModemStatus& status,
              PortKeeper& port, Conversation& talk, Reporter& reporter);

    /// `attempt_open`: an earlier process left a submit without its end.
    void open(bool attempt_open, SteadyTime now);
    /// Instead of open(): a modem that is set up.
    void adopt(bool ready);
    /// Opens the port where it is wanted and due.
    void open_port(SteadyTime now);
    /// What was raised since the last call.
    void apply_all(SteadyTime now);

private:
    void apply(Trigger trigger, SteadyTime now);
    void enter(ModemState from, Trigger trigger, SteadyTime now);
    void enter_opening(Trigger trigger, SteadyTime now);
    void enter_probing(Trigger trigger, SteadyTime now);
    void tell_why_probed(Trigger trigger);
    void enter_registering(ModemState from, SteadyTime now);
    void enter_ready();
    void enter_draining(SteadyTime now);
    void enter_failed(Trigger trigger, SteadyTime now);
    void enter_asleep();
    void climb(SteadyTime now);
    void close_port();

    const Profile& profile_;
    const ModemSettings& settings_;
    ModemStatus& status_;
    PortKeeper& port_;
    Conversation& talk_;
    Reporter& reporter_;
    LastSeen seen_;
    bool in_doubt_ = false;  // EarlierAttempt is still owed
};

}  // namespace smsrack::gsm
