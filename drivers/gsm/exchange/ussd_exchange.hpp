/// One USSD code and what the network answers to it; told once, as HandEnded.
///
/// The texts go as hexadecimal octets where the modem can (+CSCS), since accents and line ends of an
/// answer would not survive otherwise; its alphabet is put back afterwards. A session that waits
/// for an answer is closed.
/// Time:    start_limit until it has its turn, reply_limit for the network.
/// Threads: the line's thread.
/// Source:  3GPP TS 27.007 5.5 (+CSCS), 7.15 (+CUSD).
#pragma once

#include "drivers/gsm/reporter.hpp"
#include "drivers/gsm/speaker.hpp"

#include <cstdint>
#include <string>

namespace smsrack::gsm {

class UssdExchange final : public Speaker {
public:
    static constexpr std::chrono::seconds start_limit{20};  // a set-up takes less
    static constexpr std::chrono::seconds reply_limit{30};  // networks take 2 to 20 s

    /// Both outlive this object.
    UssdExchange(at::AtChannel& channel, Reporter& reporter);

    /// bad_request: `code` is not digits, * and #. forbidden: it can lock or divert the SIM, and is not forced.
    void begin(const std::string& code, bool force, SteadyTime now);
    [[nodiscard]] bool is_idle() const { return phase_ == Phase::idle; }
    void cut_off();

    /// +CUSD was heard.
    void on_reply(std::string_view line);

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override;
    /// While it waits for its turn, or for the network.
    [[nodiscard]] SteadyTime give_up_at() const { return give_up_at_; }
    std::optional<Trigger> tick(SteadyTime now) override;
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    enum class Phase : std::uint8_t { idle, waiting, asked, listening };
    enum class Step : std::uint8_t { read_alphabet, set_hex, ask, end_session, restore_alphabet };

    [[nodiscard]] at::Command command_now();
    void go_to(Step step);
    void listen(SteadyTime now);
    void after_reply();
    void finish();
    void end(Result<ports::HandAnswer> answer);

    at::AtChannel& channel_;
    Reporter& reporter_;

    Phase phase_ = Phase::idle;
    Step step_ = Step::read_alphabet;
    std::string code_;
    std::string alphabet_;  // before this
    bool hex_ = false;
    SteadyTime give_up_at_ = never;
    Result<ports::HandAnswer> answer_;
    std::string text_;  // of the command in flight
};

}  // namespace smsrack::gsm
