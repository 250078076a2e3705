/// After a submit that was refused without a usable reason: what is wrong with modem, SIM or
/// network? Asked between messages, told as Diagnosis in words for an administrator.
///
/// Also puts the configured service centre back into a SIM that has lost its number.
/// Time:    once in `period` at most; five short questions, some 100 ms together.
/// Source:  3GPP TS 27.005 3.2.5 (+CMS ERROR 330, 500); TS 27.007.
#pragma once

#include "drivers/gsm/speaker.hpp"

#include <string>

namespace smsrack::gsm {

class SelfDiagnosis final : public Speaker {
public:
    static constexpr std::chrono::seconds period{60};

    explicit SelfDiagnosis(const Shared& modem);

    /// The modem was set up again, or is out of step: what is in flight is dropped.
    void begin();
    void after_submit(const SubmitOutcome& outcome, bool pdu_sent, SteadyTime now);

    [[nodiscard]] bool speak(SteadyTime now) override;
    /// Begins with a submit's end.
    [[nodiscard]] SteadyTime next_turn() const override { return never; }
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    void take_answer(at::FinalResult result);
    void conclude();

    std::size_t question_;  // the next one, or how many there are: none
    bool asking_ = false;   // its command is in flight
    std::string line_;      // its answer
    std::string text_;      // so far
    int faults_ = 0;        // found so far
    bool centre_due_ = false;
    std::string command_;
    SteadyTime not_before_ = SteadyTime::min();
};

/// AT+CSCA="+33609001390",145
[[nodiscard]] std::string centre_command(std::string_view number);

}  // namespace smsrack::gsm
