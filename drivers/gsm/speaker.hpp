/// One user of the AT channel. Only the current speaker has a command outstanding; it receives the
/// answer.
#pragma once

#include "drivers/at/at_channel.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/modem_states.hpp"
#include "drivers/gsm/profile.hpp"
#include "drivers/gsm/reporter.hpp"

#include <optional>
#include <string_view>

namespace smsrack::gsm {

/// What the speakers of one modem share; it outlives them.
struct Shared {
    at::AtChannel& channel;
    const Profile& profile;
    const ModemSettings& settings;
    Facts& facts;
    Reporter& reporter;
};

class Speaker {
public:
    explicit Speaker(const Shared& modem)
        : channel_(modem.channel),
          profile_(modem.profile),
          settings_(modem.settings),
          facts_(modem.facts),
          reporter_(modem.reporter) {}
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

protected:
    at::AtChannel& channel_;
    const Profile& profile_;
    const ModemSettings& settings_;
    Facts& facts_;
    Reporter& reporter_;
};

}  // namespace smsrack::gsm
