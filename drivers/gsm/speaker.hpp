/// One who speaks with the modem. The modem gives the turn to one at a time and passes it the
/// answer.
///
/// Threads: the line's thread.
#pragma once

#include "drivers/at/at_channel.hpp"
#include "drivers/gsm/modem_states.hpp"
#include "src/base/clock.hpp"

#include <optional>
#include <string_view>

namespace smsrack::gsm {

class Speaker {
public:
    Speaker() = default;
    Speaker(const Speaker&) = delete;
    Speaker& operator=(const Speaker&) = delete;
    virtual ~Speaker() = default;

    /// The channel is free: starts a command, if there is one to start now. False: it passes.
    [[nodiscard]] virtual bool speak(SteadyTime now) = 0;

    /// When it wants the turn, or a tick, at the latest.
    [[nodiscard]] virtual SteadyTime next_turn() const = 0;

    /// Time went by; also while the channel is busy.
    virtual std::optional<Trigger> tick(SteadyTime) { return std::nullopt; }

    virtual void on_prompt(SteadyTime) {}
    virtual void on_line(at::LineKind, std::string_view, SteadyTime) {}
    /// A line of its answer, or of something else, that nothing explains.
    virtual void on_piece(std::string_view, SteadyTime) {}

    /// The end of its command; what it means for the modem's life, if anything.
    virtual std::optional<Trigger> on_final(at::FinalResult result, SteadyTime now) = 0;
};

}  // namespace smsrack::gsm
