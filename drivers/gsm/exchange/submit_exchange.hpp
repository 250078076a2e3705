/// One submit: AT+CMGS, the prompt, the PDU when it may leave, +CMGS or a cause. Ends with exactly one
/// SubmitDone.
///
/// Time:    prompt_limit for the prompt, release_limit at the prompt for release(), submit_timeout
///          from the PDU on.
/// Source:  3GPP TS 27.005 4.3; docs/field.md, "Sending".
#pragma once

#include "drivers/gsm/speaker.hpp"
#include "src/base/members.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace smsrack::gsm {

enum class SubmitState : std::uint8_t {
    idle,
    waiting,    ///< for its turn
    prompting,  ///< AT+CMGS is written
    prompted,   ///< the PDU may not leave yet
    sent,       ///< the PDU was given to the port
    answered,   ///< +CMGS was read, OK not yet
    escaping,   ///< ESC was written instead of the PDU
};

/// A submit whose PDU has left, or none, for the next one who drives this modem.
struct SubmitCarried {
    SubmitState state = SubmitState::idle;  ///< idle, sent or answered
    SubmitOutcome accepted = {};            ///< where answered
    SteadyTime slow_at = never;
    bool late_expected = false;
    SMSRACK_MEMBERS(state, accepted, slow_at, late_expected);
};

class SubmitExchange final : public Speaker {
public:
    static constexpr std::chrono::seconds prompt_limit{10};  // usual: below 1 s
    // the modem does nothing else meanwhile
    static constexpr std::chrono::seconds release_limit{30};
    // +CMGS and its OK come together; so does the end after ESC
    static constexpr std::chrono::seconds final_limit{5};

    explicit SubmitExchange(const Shared& modem);

    [[nodiscard]] SubmitState state() const { return state_; }

    /// `pdu`: octets with the service centre field.
    void begin(std::string_view pdu);
    void release(SteadyTime now);
    void withhold(SteadyTime now);

    /// The modem can't continue it (port lost, rebooted, out of step): ends it as far as it had
    /// come.
    void cut_off();

    /// Ends a submit that has not had its turn: it may go by another line.
    void give_back();

    /// Where the PDU has not left and may yet, there is nothing to carry: see ports::Modem::hold().
    [[nodiscard]] SubmitCarried carried() const {
        return {state_, accepted_, slow_at_, late_expected_};
    }
    void adopt(const SubmitCarried& carried);
    /// AT+CMGS, as far as it is known by its answer.
    [[nodiscard]] static at::Command command();

    /// The submit that has ended since the last call, for those who take care of the modem.
    [[nodiscard]] std::optional<ports::SubmitDone> take_ended() {
        return std::exchange(ended_, std::nullopt);
    }

    /// The one that has ended, not yet taken by take_ended(), was answered with +CMGS.
    [[nodiscard]] bool was_accepted() const {
        return ended_ && ended_->outcome.kind == OutcomeKind::accepted;
    }
    /// +CMGS, or a cause that is no other command's, after a submit was given up as unknown.
    void on_late(SubmitOutcome outcome);
    /// A submit of an earlier process was given up as unknown: its answer may come until the next submit.
    void expect_late() { late_expected_ = true; }
    [[nodiscard]] bool expects_late() const { return late_expected_; }
    /// From now on no answer can come any more.
    void forget_late() { late_expected_ = false; }
    /// From now on other commands are given: a cause may be the answer to one of them.
    void forget_late_refusal() { late_refusal_expected_ = false; }

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override;
    std::optional<Trigger> tick(SteadyTime now) override;
    void on_prompt(SteadyTime now) override;
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    /// A piece of +CMGS is no TP-MR.
    void on_piece(std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    enum class Verdict : std::uint8_t { open, released, withheld };  // may come before the prompt

    void send(SteadyTime now);
    void escape(SteadyTime now);
    void end(SubmitOutcome outcome, bool pdu_sent);
    std::optional<Trigger> end_after_pdu(at::FinalResult result);

    SubmitState state_ = SubmitState::idle;
    Verdict verdict_ = Verdict::open;
    std::string hex_;
    std::size_t length_ = 0;  // as AT+CMGS wants it: octets of the TPDU
    SubmitOutcome accepted_ = {};
    SteadyTime release_by_ = never;
    SteadyTime slow_at_ = never;
    bool late_expected_ = false;
    bool late_refusal_expected_ = false;  // nothing but the submit can be meant
    std::optional<ports::SubmitDone> ended_;
};

/// +CMGS: 12 -> accepted, 12.
[[nodiscard]] SubmitOutcome accepted_outcome(std::string_view cmgs_line);

/// What an error says of a submit; ok and timed_out give no cause.
[[nodiscard]] Cause cause_of(at::FinalResult result);

}  // namespace smsrack::gsm
