/// A person's AT command, or restart.
///
/// Bound:   lines_max lines of an answer are kept, the rest is only counted.
/// Time:    the deadline of its plan, once it has its turn.
#pragma once

#include "drivers/gsm/exchange/order_speaker.hpp"
#include "drivers/gsm/set_up/port_rate.hpp"

#include <string>

namespace smsrack::gsm {

class HandCommand final : public OrderSpeaker {
public:
    static constexpr std::size_t lines_max = 256;  // a full SIM has 50 messages

    /// `rate` outlives this object.
    HandCommand(const Shared& modem, PortRate& rate) : OrderSpeaker(modem), rate_(rate) {}

    void begin(const ports::HandOrder& order, SteadyTime now);
    /// A restart that was asked for has come by that.
    void cut_off(bool restarted);

    void on_line(at::LineKind kind, std::string_view line, SteadyTime now) override;
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    [[nodiscard]] at::Command command_now() override;
    [[nodiscard]] Result<HandPlan> plan_for(const ports::HandOrder& order) const;
    [[nodiscard]] std::optional<ports::PinAttempts> attempts_told() const;

    PortRate& rate_;
    HandPlan plan_;
    ports::HandOrderKind kind_ = {};
    ports::HandAnswer answer_;
    std::size_t lines_left_out_ = 0;
};

}  // namespace smsrack::gsm
