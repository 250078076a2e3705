/// Hangs up on every caller: a ringing modem sends no messages, and no person is there to answer.
///
/// Between two commands and before the next submit; a submit in flight is never disturbed. The log
/// gets the end of the caller's number at most.
/// Source:  3GPP TS 27.007 6.5 (+CHUP), 7.11 (+CLIP); ITU-T V.250 6.3.6 (ATH).
#pragma once

#include "drivers/gsm/fields.hpp"
#include "drivers/gsm/speaker.hpp"

#include <string>
#include <utility>

namespace smsrack::gsm {

class CallGuard final : public Speaker {
public:
    using Speaker::Speaker;

    void on_ring() { ringing_ = true; }
    void on_caller(std::string_view clip_line) {
        constexpr std::size_t digits_shown = 2;
        const auto number = field(clip_line, 0);
        caller_ = number.size() > 2 * digits_shown
                      ? "..." + std::string(number.substr(number.size() - digits_shown))
                      : std::string();
    }
    /// The caller gave up, or the modem has forgotten the call.
    void on_over() { ringing_ = false; }

    [[nodiscard]] bool speak(SteadyTime now) override {
        if (ringing_) {
            channel_.start({.text = knows_chup_ ? "AT+CHUP" : "ATH"}, now);
        }
        return ringing_;
    }
    [[nodiscard]] SteadyTime next_turn() const override {
        return ringing_ ? SteadyTime::min() : never;
    }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime) override {
        if (result.kind == at::FinalKind::timed_out) {
            ringing_ = false;  // it rings again when it is back
            return Trigger::no_answer;
        }
        if (result.kind != at::FinalKind::ok && std::exchange(knows_chup_, false)) {
            return std::nullopt;  // with ATH now
        }
        ringing_ = false;
        const auto caller = std::exchange(caller_, {});
        if (result.kind == at::FinalKind::ok) {
            reporter_.note(LogLevel::info, "call_refused",
                           caller.empty() ? "caller not told" : caller);
            reporter_.incident(ports::Incident::call_refused);
        } else {
            reporter_.note(LogLevel::warn, "call_not_refused", at::to_text(result));
        }
        return std::nullopt;
    }

private:
    bool ringing_ = false;
    bool knows_chup_ = true;  // until it refuses it; ATH then
    std::string caller_;      // "...78", where the modem says who calls
};

}  // namespace smsrack::gsm
