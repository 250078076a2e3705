/// How the modem is to notify of what it receives (AT+CSMS, AT+CNMI), kept as it should be.
///
/// A direct PDU that was not confirmed in time makes the modem switch notification off (3GPP TS 27.005
/// 3.4.1): both are set again then, and it is asked now and then (LookPlan) whether it still notifies.
/// Source:  3GPP TS 27.005 3.2.1, 3.4.1, 3.4.4 (AT+CNMA=2: refused).
#pragma once

#include "drivers/at/command.hpp"
#include "drivers/at/final_result.hpp"
#include "drivers/gsm/inbox/look_plan.hpp"
#include "drivers/gsm/inbox/push_mode.hpp"
#include "drivers/gsm/reporter.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::gsm {

class NotifySetup {
public:
    /// All outlive this object.
    NotifySetup(const ModemSettings& settings, const Facts& facts, LookPlan& plan,
                Reporter& reporter)
        : settings_(settings), facts_(facts), plan_(plan), reporter_(reporter) {}

    /// The modem was set up, and stores what comes in.
    void begin(SteadyTime now);
    /// An earlier owner set it up; `again`: it must be set again.
    void adopt(bool again);

    void submit_begins(bool more) { push_.submit_begins(more); }
    void submit_ended(SteadyTime now) { push_.submit_ended(now); }

    /// Sets both again: a direct PDU was lost or came too late.
    void set_again() { due_ = Due::service; }
    [[nodiscard]] bool is_due_again() const { return due_ != Due::nothing; }
    /// What the modem gave last is refused, so that the network sends it again.
    void refuse();
    /// One came and was confirmed, which says all that AT+CNMI? would.
    void confirmed(SteadyTime now);

    /// As PushMode::works(), where it is wanted; else true.
    [[nodiscard]] std::optional<bool> push_works() const {
        return settings_.push ? push_.works() : true;
    }

    /// From now on the modem stores what comes in, since no service may be running to confirm it.
    void hold(bool held) { hold_ = held ? Hold::due : Hold::no; }
    [[nodiscard]] bool is_held() const { return hold_ != Hold::no; }
    /// Since hold(true): the modem must still get the order.
    [[nodiscard]] bool owes_storing() const { return hold_ == Hold::due && push_.may_push(); }

    /// The command for this turn. `may_refuse`: nothing that the modem gave waits to be confirmed.
    [[nodiscard]] std::optional<at::Command> next(SteadyTime now, bool may_refuse);
    [[nodiscard]] SteadyTime next_turn() const;
    void on_line(std::string_view line, SteadyTime now);
    void on_final(at::FinalResult result, SteadyTime now);
    void cut_off() { step_ = Step::none; }

private:
    enum class Due : std::uint8_t { nothing, service, notify };  // after service comes notify
    enum class Hold : std::uint8_t { no, due, told };
    enum class Refusal : std::uint8_t {
        none,
        due,
        given_up,  // AT+CNMA=2 was not answered, which must not happen again and again
    };
    enum class Step : std::uint8_t { none, refuse, set_service, set_notify, ask };

    [[nodiscard]] at::Command begin_step(Step step, const at::Command& command) {
        step_ = step;
        return command;
    }
    [[nodiscard]] at::Command begin_notify(bool pushed);
    void end_notify(at::FinalResult result, SteadyTime now);

    const ModemSettings& settings_;
    const Facts& facts_;
    LookPlan& plan_;
    Reporter& reporter_;

    PushMode push_;
    Due due_ = Due::nothing;
    Hold hold_ = Hold::no;
    Refusal refusal_ = Refusal::none;
    Step step_ = Step::none;      // whose command is outstanding
    bool pushing_ = false;        // as the AT+CNMI outstanding says
    SteadyTime not_before_ = {};  // after a refusal
};

/// AT+CNMI for this modem: reports into SR where it has that, else directly; messages into the SIM, or
/// `pushed` to us. Mode 2 is the one that a WAVECOM has too.
[[nodiscard]] std::string_view notify_command(const Facts& facts, bool pushed = false);

}  // namespace smsrack::gsm
