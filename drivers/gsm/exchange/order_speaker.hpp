/// Speaks for the operator between messages: what an order has in common, whatever it asks. Ends with exactly
/// one HandEnded.
///
/// Time:    start_limit until it has its turn.
#pragma once

#include "drivers/gsm/speaker.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

namespace smsrack::gsm {

class OrderSpeaker : public Speaker {
public:
    static constexpr std::chrono::seconds start_limit{20};  // a set-up takes less

    using Speaker::Speaker;

    [[nodiscard]] bool is_idle() const { return phase_ == Phase::idle; }
    /// The modem can't continue it.
    void cut_off() {
        if (!is_idle()) {
            end(fail(Errc::busy,
                     "the modem was lost or restarted meanwhile; see `smsrack modems`"));
        }
    }

    [[nodiscard]] bool speak(SteadyTime now) final {
        if (phase_ != Phase::waiting) {
            return false;
        }
        phase_ = Phase::asked;
        give_up_at_ = never;
        channel_.start(command_now(), now);
        return true;
    }
    [[nodiscard]] SteadyTime next_turn() const final {
        return phase_ == Phase::waiting ? SteadyTime::min() : never;
    }
    /// While it waits for its turn, or for the network.
    [[nodiscard]] SteadyTime give_up_at() const { return give_up_at_; }
    std::optional<Trigger> tick(SteadyTime now) override {
        if (now >= give_up_at_) {
            end(fail(Errc::busy,
                     "the modem is being set up or does not answer; see `smsrack modems`"));
        }
        return std::nullopt;
    }

protected:
    enum class Phase : std::uint8_t { idle, waiting, asked, listening };

    [[nodiscard]] virtual at::Command command_now() = 0;

    void end(Result<ports::HandAnswer> answer) {
        phase_ = Phase::idle;
        give_up_at_ = never;
        reporter_.tell(ports::HandEnded{std::move(answer)});
    }

    Phase phase_ = Phase::idle;
    SteadyTime give_up_at_ = never;
};

}  // namespace smsrack::gsm
