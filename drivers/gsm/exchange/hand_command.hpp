/// A person's AT command, or restart, between messages; told once, as HandEnded.
///
/// Bound:   lines_max lines of an answer are kept, the rest is only counted.
/// Time:    start_limit until it has its turn, then the deadline of its plan.
/// Threads: the line's thread.
#pragma once

#include "drivers/gsm/exchange/hand_rules.hpp"
#include "drivers/gsm/profile.hpp"
#include "drivers/gsm/reporter.hpp"
#include "drivers/gsm/speaker.hpp"

#include <cstdint>
#include <string>

namespace smsrack::gsm {

class HandCommand final : public Speaker {
public:
    static constexpr std::chrono::seconds start_limit{20};  // a set-up takes less
    static constexpr std::size_t lines_max = 256;           // a full SIM has 50 messages

    /// All outlive this object.
    HandCommand(at::AtChannel& channel, const Profile& profile, Reporter& reporter);

    void begin(const ports::HandOrder& order, SteadyTime now);
    [[nodiscard]] bool is_idle() const { return phase_ == Phase::idle; }

    /// The modem can't continue it. A restart that was asked for has come by that.
    void cut_off(bool restarted);

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override;
    /// While it waits for its turn.
    [[nodiscard]] SteadyTime give_up_at() const { return give_up_at_; }
    std::optional<Trigger> tick(SteadyTime now) override;
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    enum class Phase : std::uint8_t { idle, waiting, asked };

    [[nodiscard]] Result<HandPlan> plan_for(const ports::HandOrder& order) const;
    [[nodiscard]] std::optional<ports::PinAttempts> attempts_told() const;
    void end(Result<ports::HandAnswer> answer);

    at::AtChannel& channel_;
    const Profile& profile_;
    Reporter& reporter_;

    Phase phase_ = Phase::idle;
    HandPlan plan_;
    bool is_restart_ = false;
    bool asks_attempts_ = false;
    SteadyTime give_up_at_ = never;
    ports::HandAnswer answer_;
    std::size_t lines_left_out_ = 0;
};

}  // namespace smsrack::gsm
