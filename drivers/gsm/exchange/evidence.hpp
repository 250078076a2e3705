/// What the port tells of an attempt that an earlier process left open; told once, as EarlierAttempt.
///
/// First only listening, until 100 ms of silence: +CMGS or a cause of the network (+CMS ERROR below 300) found there is its late answer.
/// Then ESC. Only a final result after that silence with no +CMGS before it, nor anything that nothing explains, then exactly one OK
/// to AT, proves that a half-entered PDU was dropped: not_sent. All else is unknown, except that a late answer
/// is waited for while the modem does not answer AT, which it does not while it is busy with the
/// network. Where it stays unknown the answer is waited for on, as one of SubmitExchange: until the
/// next submit it is reported as LateAnswer.
/// Time:    listening at most listen_limit, the whole at most submit_timeout after that.
#pragma once

#include "drivers/gsm/speaker.hpp"

#include <algorithm>
#include <cstdint>

namespace smsrack::gsm {

class SubmitExchange;

class Evidence final : public Speaker {
public:
    static constexpr std::chrono::milliseconds silence{100};
    // a port that is never silent proves nothing
    static constexpr std::chrono::seconds listen_limit{10};
    static constexpr std::chrono::seconds escape_limit{1};  // ESC at the prompt is answered at once
    static constexpr std::chrono::seconds probe_limit{5};

    /// `submit` outlives this object, and expects a late answer where the outcome stays unknown.
    Evidence(const Shared& modem, SubmitExchange& submit) : Speaker(modem), submit_(submit) {}

    void begin(SteadyTime now);

    /// The port was lost, or the modem rebooted: what is not known by now never will be.
    void cut_off();

    void on_late(std::string_view cmgs_line, SteadyTime now);
    void on_stray_final(at::FinalResult result, SteadyTime now);

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override;
    /// May be left of the +CMGS: then the OK behind it is not the answer to ESC. The prompt of a half-entered PDU is not.
    void on_piece(std::string_view line, SteadyTime now) override;
    std::optional<Trigger> tick(SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    enum class Phase : std::uint8_t {
        idle,
        listening,
        escaped,     ///< ESC was written; its final result is to come
        confirming,  ///< it came; AT must answer with exactly one OK
        counting,    ///< it did; no second one may follow
        waiting,     ///< no proof: the late answer may still come
        settling,    ///< the outcome is known; until the port is silent
    };

    Trigger finish();
    void enter(Phase phase, SteadyTime now);
    void found(SubmitOutcome outcome, SteadyTime now);
    [[nodiscard]] SteadyTime silent_at() const {
        return std::max(channel_.last_input(), entered_) + silence;
    }
    [[nodiscard]] bool is_silent(SteadyTime now) const { return now >= silent_at(); }

    SubmitExchange& submit_;

    Phase phase_ = Phase::idle;
    SteadyTime entered_ = {};  // phase_
    SteadyTime give_up_at_ = never;
    // a final result or a piece was heard that may be the submit's: nothing can be proved
    bool tainted_ = false;
    SubmitOutcome outcome_ = {};
};

}  // namespace smsrack::gsm
