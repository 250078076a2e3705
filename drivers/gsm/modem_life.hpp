/// What follows from each trigger: the next state of the table (modem_states), and what is done on entering it.
#pragma once

#include "drivers/gsm/conversation.hpp"
#include "drivers/gsm/last_seen.hpp"
#include "drivers/gsm/port_keeper.hpp"

namespace smsrack::gsm {

class ModemLife {
public:
    /// All outlive this object.
    ModemLife(const Shared& modem, ModemStatus& status, PortKeeper& port, Conversation& talk)
        : profile_(modem.profile),
          settings_(modem.settings),
          reporter_(modem.reporter),
          status_(status),
          port_(port),
          talk_(talk) {}

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
    void enter_draining(ModemState from, SteadyTime now);
    void enter_failed(Trigger trigger, SteadyTime now);
    void enter_asleep();
    void climb(SteadyTime now);
    void close_port();

    const Profile& profile_;
    const ModemSettings& settings_;
    Reporter& reporter_;
    ModemStatus& status_;
    PortKeeper& port_;
    Conversation& talk_;
    LastSeen seen_;
    bool in_doubt_ = false;  // EarlierAttempt is still owed
};

}  // namespace smsrack::gsm
