/// One USSD code and what the network answers to it.
///
/// The texts go as hexadecimal octets where the modem can (+CSCS), since accents and line ends of an
/// answer would not survive otherwise; its alphabet is put back afterwards. A session that waits
/// for an answer is closed.
/// Time:    reply_limit for the network.
/// Source:  3GPP TS 27.007 5.5 (+CSCS), 7.15 (+CUSD).
#pragma once

#include "drivers/gsm/exchange/order_speaker.hpp"

#include <cstdint>
#include <string>

namespace smsrack::gsm {

class UssdExchange final : public OrderSpeaker {
public:
    static constexpr std::chrono::seconds reply_limit{30};  // networks take 2 to 20 s

    using OrderSpeaker::OrderSpeaker;

    /// bad_request: `code` is not digits, * and #. forbidden: it can lock or divert the SIM, and is not forced.
    void begin(const std::string& code, bool force, SteadyTime now);
    void on_reply(std::string_view cusd_line);

    std::optional<Trigger> tick(SteadyTime now) override;
    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    enum class Step : std::uint8_t { read_alphabet, set_hex, ask, end_session, restore_alphabet };

    [[nodiscard]] at::Command command_now() override;
    void go_to(Step step);
    void listen(SteadyTime now);
    void after_reply();
    void finish();

    Step step_ = Step::read_alphabet;
    std::string code_;
    std::string alphabet_;  // before this
    bool hex_ = false;
    Result<ports::HandAnswer> answer_;
    std::string text_;  // of the command in flight
};

}  // namespace smsrack::gsm
