/// Runs the init script of the profile: probe, identity, SIM, set-up. Gives Trigger::answered, sim_missing,
/// sim_found, set_up, no_answer.
///
/// A step that is refused but needed is tried again, since a modem that has just started refuses much.
/// A modem that has restarted by itself discards status reports until it is set up, unless it keeps how it
/// must notify of them: so one that had something else is made to keep it, once, since that writes its memory.
/// The modem is looked for at both rates of its port, and asked for the faster one near the end: what it
/// keeps for a restart (AT&W) is `baud`.
/// Time:    by its ScriptCursor; at once after poke().
#pragma once

#include "drivers/gsm/set_up/port_rate.hpp"
#include "drivers/gsm/set_up/sim_unlock.hpp"
#include "drivers/gsm/set_up/start_up_answers.hpp"
#include "drivers/gsm/speaker.hpp"

#include <optional>
#include <string>

namespace smsrack::gsm {

class StartUp final : public Speaker {
public:
    static constexpr int functionality_asked_max = 3;
    static constexpr int restarts_max = 2;     // a modem whose +CFUN stays 0 is used as it is
    static constexpr int early_tries_max = 6;  // to hear of a busy SIM what it need not say: 6 s
    // answers without their line, before that is what this modem says
    static constexpr int missing_max = 2;
    // AT after a change of the rate: some modems need a moment
    static constexpr int rate_checks_max = 3;

    /// Fills in Shared::facts. `rate` outlives this object.
    StartUp(const Shared& modem, PortRate& rate) : Speaker(modem), rate_(rate) {}

    void begin(SteadyTime now);

    /// Asks nothing more until begin().
    void stop() { cursor_.stop(); }

    /// The answer to PinWanted.
    std::optional<Trigger> enter_pin(const ports::PinTry& pin, ports::PinVerdict verdict,
                                     SteadyTime now) {
        return sim_.enter(pin, verdict, now);
    }

    /// The modem said that something is ready: try now.
    void poke(SteadyTime now);

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override { return cursor_.due(); }
    void on_line(at::LineKind, std::string_view line, SteadyTime) override { answers_.take(line); }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    [[nodiscard]] at::Command command_now();
    std::optional<Trigger> follow(SteadyTime now);
    std::optional<Trigger> go_to(InitStep step, SteadyTime now);
    std::optional<Trigger> advance(SteadyTime now);
    std::optional<Trigger> try_again(SteadyTime now);
    std::optional<Trigger> refused(at::FinalResult result, SteadyTime now);
    std::optional<Trigger> judge_functionality(SteadyTime now);
    std::optional<Trigger> after_radio_on(SteadyTime now);
    std::optional<Trigger> judge_pin_state(at::FinalResult result, SteadyTime now);
    std::optional<Trigger> judge_centre(SteadyTime now);
    [[nodiscard]] bool is_needless(InitStep step) const;
    std::optional<Trigger> judge_rates(SteadyTime now);
    std::optional<Trigger> judge_raise(at::FinalResult result, SteadyTime now);
    std::optional<Trigger> judge_check(at::FinalResult result, SteadyTime now);
    std::optional<Trigger> judge_back(at::FinalResult result, SteadyTime now);
    std::optional<Trigger> lower(bool first, SteadyTime now);
    [[nodiscard]] bool is_information_missing(at::FinalResult result) const;
    [[nodiscard]] bool is_too_early(at::FinalResult result) const;

    PortRate& rate_;
    ScriptCursor cursor_{profile_.init};
    StartUpAnswers answers_{profile_, facts_};
    SimUnlock sim_{settings_, facts_, reporter_, cursor_};
    int functionality_asked_ = 0;
    int missing_ = 0;
    int early_tries_ = 0;
    int restarts_ = 0;             // by InitStep::radio_on, since it was last set up
    bool looked_at_both_ = false;  // rates, since begin()
    bool lowered_first_ = false;   // behind InitStep::rate_back the script is at its beginning
    int rate_checks_ = 0;
    std::string text_;  // of a command that is completed here
};

}  // namespace smsrack::gsm
