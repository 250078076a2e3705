/// Back into step with a modem that did not answer, or answered something else: ESC, silence, AT.
///
/// A late +CMGS, or a +CMS ERROR that AT never answers, belongs to the submit given up before; then the
/// silence is waited for again, so that its OK is not taken for that of AT. While that answer may still
/// come the rounds continue: a modem that is busy with the network answers AT no more than the submit, and
/// the remedies that follow (the port closed, a restart) would lose what it says.
/// Each further round is at the other rate of the port, where it has two: the modem may have restarted. Not
/// while a late answer is expected, which would come at the rate of its submit.
/// Time:    rounds_max rounds, each at most silence_limit and a probe; late_patience of them while
///          a late answer is expected.
#pragma once

#include "drivers/gsm/set_up/port_rate.hpp"
#include "drivers/gsm/speaker.hpp"

#include <array>
#include <cstdint>

namespace smsrack::gsm {

class SubmitExchange;

class Drain final : public Speaker {
public:
    static constexpr std::chrono::milliseconds silence{100};
    static constexpr std::chrono::seconds silence_limit{5};
    static constexpr std::size_t rounds_max = 3;
    /// After submit_timeout and the first rounds. The network's own timers have run out by then
    /// (3GPP TS 24.011 10: TR1M 45 s, TC1* 30 s with two repeats).
    static constexpr std::chrono::seconds late_patience{30};

    /// `submit` outlives this object, and is notified when a late answer comes.
    /// So does `rate`.
    Drain(const Shared& modem, SubmitExchange& submit, PortRate& rate)
        : Speaker(modem), submit_(submit), rate_(rate) {}

    void begin(SteadyTime now);
    void on_late(std::string_view cmgs_line);
    void on_stray_final(at::FinalResult result);

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    void begin_round(SteadyTime now);
    void take_late(SubmitOutcome outcome);

    SubmitExchange& submit_;
    PortRate& rate_;

    std::size_t round_ = 0;
    SteadyTime patient_until_ = {};  // once for each answer that may come late; {}: not yet
    SteadyTime round_began_ = {};
    bool disturbed_ = false;  // a late answer came while the probe was in flight
};

}  // namespace smsrack::gsm
