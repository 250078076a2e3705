/// Runs the init script of the profile: probe, identity, SIM, set-up. Gives Trigger::answered, sim_missing, sim_found,
/// set_up, no_answer.
///
/// A step that is refused but needed is tried again, since a modem that has just started refuses much.
/// A PIN is entered only while pin_attempts_min attempts are left, and after PinWanted was answered:
/// the store remembers what failed. A modem that has restarted by itself discards status reports until
/// it is set up, unless it keeps how it is to tell of them: so one that had something else is made to
/// keep it, once, since that writes its memory.
/// Time:    tries are retry_first apart, growing to retry_last; at once after poke().
/// Threads: the line's thread.
#pragma once

#include "drivers/gsm/backoff.hpp"
#include "drivers/gsm/facts.hpp"
#include "drivers/gsm/identity_reading.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/profile.hpp"
#include "drivers/gsm/reporter.hpp"
#include "drivers/gsm/speaker.hpp"

#include <optional>
#include <string>

namespace smsrack::gsm {

class StartUp final : public Speaker {
public:
    static constexpr std::chrono::milliseconds retry_first{100};
    static constexpr std::chrono::milliseconds retry_last{5000};
    static constexpr int pin_attempts_min = 2;
    static constexpr int functionality_asked_max = 3;
    static constexpr int restarts_max = 2;     // a modem whose +CFUN stays 0 is used as it is
    static constexpr int early_tries_max = 6;  // to hear of a busy SIM what it need not say: 6 s
    static constexpr int missing_max =
        2;  // answers without their line, before that is what this modem says

    /// All outlive this object; `facts` are filled in here.
    StartUp(at::AtChannel& channel, const Profile& profile, const ModemSettings& settings,
            Facts& facts, Reporter& reporter);

    void begin(SteadyTime now);

    /// Asks nothing more until begin().
    void stop() { row_ = nullptr; }

    /// The answer to PinWanted.
    std::optional<Trigger> enter_pin(const ports::PinTry& pin, ports::PinVerdict verdict,
                                     SteadyTime now);

    /// The modem said that something is ready: try now.
    void poke(SteadyTime now);

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override { return row_ != nullptr ? due_ : never; }
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    [[nodiscard]] at::Command command_now();
    std::optional<Trigger> follow(SteadyTime now);
    std::optional<Trigger> go_to(InitStep step, SteadyTime now);
    void advance(SteadyTime now);
    void begin_step(SteadyTime now);
    [[nodiscard]] bool is_needless(InitStep step) const;
    [[nodiscard]] bool boots_otherwise() const;
    std::optional<Trigger> try_again(SteadyTime now);
    std::optional<Trigger> refused(at::FinalResult result, SteadyTime now);
    std::optional<Trigger> judge_pin_state(at::FinalResult result, SteadyTime now);
    std::optional<Trigger> ask_card(SteadyTime now);
    std::optional<Trigger> ask_attempts(SteadyTime now);
    std::optional<Trigger> judge_pin_attempts(SteadyTime now);
    std::optional<Trigger> ask_for_pin(SteadyTime now);
    std::optional<Trigger> end_pin(at::FinalResult result, SteadyTime now);
    std::optional<Trigger> judge_centre(SteadyTime now);
    std::optional<Trigger> wait_for_sim(std::string_view reason, std::string detail,
                                        SteadyTime now);
    [[nodiscard]] bool is_information_missing(at::FinalResult result) const;
    [[nodiscard]] bool is_too_early(at::FinalResult result) const;

    at::AtChannel& channel_;
    const Profile& profile_;
    const ModemSettings& settings_;
    Facts& facts_;
    Reporter& reporter_;

    const InitRow* row_ = nullptr;  // null: not running
    SteadyTime due_ = never;
    Backoff pause_;
    bool has_line_ = false;  // the information line of the step came
    IdentityReading reading_;
    std::string pin_state_;  // READY, SIM PIN, ...
    int attempts_left_ = 0;
    std::optional<int> functionality_;  // of +CFUN; nullopt: its answer did not say
    int functionality_asked_ = 0;
    unsigned events_ = 0;  // the mask of those that are on
    int missing_ = 0;
    int early_tries_ = 0;
    int restarts_ = 0;          // by InitStep::radio_on, since it was last set up
    bool sim_waited_ = false;   // Trigger::sim_missing was given
    ports::PinTry pin_ = {};    // asked about last
    bool pin_asked_ = false;    // its answer is awaited
    bool pin_refused_ = false;  // it failed, now or earlier: a person must help
    bool has_centre_ = false;
    struct Booted {  // what the modem said that it has after a restart; nullopt: it did not say
        std::optional<int> service = {};
        std::optional<int> mt = {};
        std::optional<int> ds = {};
    };
    Booted booted_ = {};
    std::string kept_by_;  // IMEI of the modem that was made to keep it, so that this is tried once
    std::string text_;     // of a command that is completed here
};

}  // namespace smsrack::gsm
