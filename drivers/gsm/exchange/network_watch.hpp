/// Is the modem there, and in the network? Asked often until it is registered, then as a heartbeat.
///
/// +CREG: 0,... says that our AT+CREG=1 is gone: the modem has restarted, even where it
/// does not say so. A modem that does not even look for a network for idle_max is set up again, since its
/// radio may be off and the answer that said so was lost.
/// Time:    until registered every 100 ms, growing to 5 s; at once after poke().
/// Source:  3GPP TS 27.007 7.2, 7.3, 8.5.
#pragma once

#include "drivers/gsm/speaker.hpp"
#include "src/base/members.hpp"

#include <chrono>

namespace smsrack::gsm {

/// Where it is between two questions.
struct WatchCarried {
    bool registered = false;
    SteadyTime due = never;
    SteadyTime vitals_by = never;
    SMSRACK_MEMBERS(registered, due, vitals_by);
};

class NetworkWatch final : public Speaker {
public:
    static constexpr std::chrono::minutes idle_max{10};
    static constexpr std::chrono::milliseconds poll_first{100};
    static constexpr std::chrono::milliseconds poll_last{5000};

    using Speaker::Speaker;

    /// Set up: asks until it is registered, then Trigger::registered.
    void begin(SteadyTime now);

    [[nodiscard]] WatchCarried carried() const { return {registered_, due_, vitals_by_}; }
    /// Continues with the question of registration, which leads to the others.
    void adopt(const WatchCarried& carried);

    /// Something happened (+CREG, an event): ask now.
    void poke(SteadyTime now) {
        due_ = now;
        poked_ = true;
    }

    /// May it send where it is? A foreign network may cost more, so it must be allowed.
    [[nodiscard]] bool is_welcome(ports::Registration registration) const;

    /// The modem has just shown that it is alive.
    void put_off(SteadyTime now);

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override { return due_; }
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    enum class Question : std::uint8_t { registration, signal, operator_name };

    std::optional<Trigger> judge_registration(SteadyTime now);
    void tell_why_not();
    void tell_vitals();

    bool registered_ = false;  // Trigger::registered was given
    Question question_ = Question::registration;
    bool mark_kept_ = true;  // AT+CREG=1 is still set
    SteadyTime due_ = never;
    bool poked_ = false;            // since the last question: put_off() does not hold it back
    SteadyTime vitals_by_ = never;  // put_off() does not go beyond
    SteadyTime idle_by_ = never;    // never: it looks for a network, or has one
    Backoff pause_{poll_first, poll_last};
};

}  // namespace smsrack::gsm
