/// All that speak with one modem, and whose turn it is.
#pragma once

#include "drivers/gsm/exchange/call_guard.hpp"
#include "drivers/gsm/exchange/drain.hpp"
#include "drivers/gsm/exchange/evidence.hpp"
#include "drivers/gsm/exchange/hand_command.hpp"
#include "drivers/gsm/exchange/link_keeper.hpp"
#include "drivers/gsm/exchange/network_watch.hpp"
#include "drivers/gsm/exchange/radio_switch.hpp"
#include "drivers/gsm/exchange/rate_return.hpp"
#include "drivers/gsm/exchange/self_diagnosis.hpp"
#include "drivers/gsm/exchange/step_check.hpp"
#include "drivers/gsm/exchange/submit_exchange.hpp"
#include "drivers/gsm/exchange/ussd_exchange.hpp"
#include "drivers/gsm/inbox/inbox_reader.hpp"
#include "drivers/gsm/set_up/start_up.hpp"

#include <array>
#include <cstddef>

namespace smsrack::gsm {

struct Speakers {
    /// Commands of the inbox between two submits: 8 PDUs, each to read and to erase. More come in than the
    /// network delivers during a submit of some seconds; beyond that a flood would stop sending.
    static constexpr int inbox_turn = 16;
    static constexpr std::size_t turns_max = 8;
    using Turns = std::array<Speaker*, turns_max>;  // in order of precedence; null: none

    /// All outlive this object.
    Speakers(at::AtChannel& channel, const Profile& profile, const ModemSettings& settings,
             Reporter& reporter)
        : modem{channel, profile, settings, facts, reporter}, rate(channel, settings, reporter) {}

    [[nodiscard]] Turns turns(const ModemStatus& status);
    /// The command of this one has ended.
    void count_turn(const Speaker& speaker, SteadyTime now);
    /// The inbox may still speak before the next submit.
    [[nodiscard]] bool inbox_has_turn() const { return inbox_turns > 0; }

    /// What a submit that has ended says of SIM and link. True: the modem answered it.
    [[nodiscard]] bool after_submit(SteadyTime now);

    [[nodiscard]] bool has_order() const { return !hand.is_idle() || !ussd.is_idle(); }
    void begin_order(const ports::HandOrder& order, SteadyTime now);
    void cut_off_order(bool restarted);
    /// If no answer came, the modem may still be working on it.
    [[nodiscard]] bool may_still_work(const Speaker& speaker, at::FinalResult result) const;

    Facts facts;
    const Shared modem;
    PortRate rate;
    Evidence evidence{modem, submit};
    StartUp start_up{modem, rate};
    NetworkWatch watch{modem};
    SubmitExchange submit{modem};
    InboxReader inbox{modem};
    StepCheck step_check{modem};
    Drain drain{modem, submit, rate};
    CallGuard calls{modem};
    LinkKeeper link{modem};
    SelfDiagnosis diagnosis{modem};
    HandCommand hand{modem, rate};
    UssdExchange ussd{modem};
    RadioSwitch radio{modem};
    RateReturn rate_return{modem, rate};
    int inbox_turns = 0;  ///< commands that the inbox may still have before the next submit
};

}  // namespace smsrack::gsm
