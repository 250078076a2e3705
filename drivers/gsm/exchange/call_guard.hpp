/// Hangs up on every caller: a ringing modem sends no messages, and no person is there to answer.
///
/// Between two commands and before the next submit; a submit in flight is never disturbed. The log
/// gets the end of the caller's number at most.
/// Threads: the line's thread.
/// Source:  3GPP TS 27.007 6.5 (+CHUP), 7.11 (+CLIP); ITU-T V.250 6.3.6 (ATH).
#pragma once

#include "drivers/gsm/reporter.hpp"
#include "drivers/gsm/speaker.hpp"

#include <string>

namespace smsrack::gsm {

class CallGuard final : public Speaker {
public:
    /// Both outlive this object.
    CallGuard(at::AtChannel& channel, Reporter& reporter);

    void on_ring() { ringing_ = true; }
    void on_caller(std::string_view clip_line);
    /// The caller gave up, or the modem has forgotten the call.
    void on_over() { ringing_ = false; }

    [[nodiscard]] bool speak(SteadyTime now) override;
    [[nodiscard]] SteadyTime next_turn() const override {
        return ringing_ ? SteadyTime::min() : never;
    }
    std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) override;

private:
    at::AtChannel& channel_;
    Reporter& reporter_;

    bool ringing_ = false;
    bool knows_chup_ = true;  // until it refuses it; ATH then
    std::string caller_;      // "...78", where the modem says who calls
};

}  // namespace smsrack::gsm
