/// The steps of the set-up that are about the SIM: its PIN, and the wait for a SIM that can be used.
///
/// A PIN is entered where PinEntry allows it, after the modem has said whose SIM it is and how many attempts
/// are left. Otherwise a person must help, and the modem is asked again until then.
/// Source:  3GPP TS 27.007 8.3, 9.2; TS 27.005 3.2.5.
#pragma once

#include "drivers/at/final_result.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/modem_states.hpp"
#include "drivers/gsm/reporter.hpp"
#include "drivers/gsm/set_up/init_script.hpp"
#include "drivers/gsm/set_up/pin_entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::gsm {

/// May the SIM be used?
enum class SimState : std::uint8_t {
    ready,
    locked,    ///< it wants its PIN
    unusable,  ///< until a person does something about it
    starting,  ///< it will know in a moment
};

struct SimVerdict {
    SimState state = SimState::starting;
    std::string_view reason = {};  ///< of unusable: "sim_absent"
    std::string detail = {};       ///< of unusable, for people
};

/// `pin_state`: READY, SIM PIN, ...; nullopt: the answer had none.
[[nodiscard]] SimVerdict judge_sim(at::FinalResult result,
                                   const std::optional<std::string>& pin_state);

class SimUnlock {
public:
    /// All outlive this object.
    SimUnlock(const ModemSettings& settings, Facts& facts, Reporter& reporter, ScriptCursor& cursor)
        : settings_(settings), facts_(facts), reporter_(reporter), cursor_(cursor) {}

    void begin();
    /// Another SIM may be there. False: not now, since the store is asked about this one.
    [[nodiscard]] bool poke();

    /// The SIM wants its PIN.
    std::optional<Trigger> unlock(SteadyTime now);
    /// Whose SIM it is has been asked.
    std::optional<Trigger> ask_attempts(SteadyTime now);
    std::optional<Trigger> judge_attempts(int left, SteadyTime now);
    /// The answer to PinWanted.
    std::optional<Trigger> enter(const ports::PinTry& pin, ports::PinVerdict verdict,
                                 SteadyTime now);
    /// The answer to AT+CPIN=.
    void end_entry(at::FinalResult result, SteadyTime now);

    /// The SIM can't be used until a person has done something.
    std::optional<Trigger> wait(std::string_view reason, std::string detail, SteadyTime now);
    /// It can be used. True once after wait().
    [[nodiscard]] bool found() { return std::exchange(waited_, false); }

private:
    const ModemSettings& settings_;
    Facts& facts_;
    Reporter& reporter_;
    ScriptCursor& cursor_;
    PinEntry pin_;
    bool waited_ = false;  // Trigger::sim_missing was given
};

}  // namespace smsrack::gsm
