/// What the modem answers while it is set up: its facts, and what the next steps depend on.
///
/// Source:  3GPP TS 27.007, TS 27.005.
#pragma once

#include "drivers/gsm/profile.hpp"
#include "drivers/gsm/set_up/identity_reading.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gsm {

/// Of the question that is outstanding, or was the last.
struct StepAnswer {
    bool has_line = false;                      ///< its information line came
    std::optional<int> functionality = {};      ///< of +CFUN; nullopt: its answer did not say
    std::optional<std::string> pin_state = {};  ///< READY, SIM PIN, ...
    int attempts_left = 0;                      ///< to enter the PIN
    bool has_centre = false;
    std::string rates = {};  ///< the line of AT+IPR=?
};

class StartUpAnswers {
public:
    /// Both outlive this object; `facts` are filled in here.
    StartUpAnswers(const Profile& profile, Facts& facts) : profile_(profile), facts_(facts) {}

    /// The modem is set up again: nothing is known of it.
    void begin();
    /// The question of this step goes out, perhaps once more.
    void ask(InitStep step);
    /// An information line of its answer.
    void take(std::string_view line);

    [[nodiscard]] const StepAnswer& answer() const { return answer_; }
    /// The number that was read may have lost digits. True once for each reading.
    [[nodiscard]] bool asks_again() { return reading_.asks_again(); }

    /// Not all events are on that this firmware can have: an older one is not asked for more, since its
    /// flash would be written at each start.
    [[nodiscard]] bool lacks_events() const;
    /// The sum that switches on those that are missing.
    [[nodiscard]] unsigned event_sum(InitStep step) const;

    /// What was answered makes this step needless.
    [[nodiscard]] bool is_needless(InitStep step) const;
    /// The modem is made to keep its settings: once, even where it does not answer, since that writes its
    /// memory.
    void keeps() { kept_by_ = facts_.identity.imei; }

private:
    struct Booted {  // what the modem said that it has after a restart; nullopt: it did not say
        std::optional<int> service = {};
        std::optional<int> mt = {};
        std::optional<int> ds = {};
    };

    /// After a restart it notifies otherwise than the set-up has it: what comes until then may be lost.
    [[nodiscard]] bool boots_otherwise() const;

    const Profile& profile_;
    Facts& facts_;
    InitStep step_ = InitStep::probe;  // asked last
    StepAnswer answer_;
    IdentityReading reading_;
    unsigned events_ = 0;  // the sum of those that are on
    Booted booted_ = {};
    std::string kept_by_;  // IMEI of the modem that was made to keep them last
};

}  // namespace smsrack::gsm
