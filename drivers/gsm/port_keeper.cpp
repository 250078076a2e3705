#include "drivers/gsm/port_keeper.hpp"

#include <utility>

namespace smsrack::gsm {

PortKeeper::PortKeeper(const std::string& name, const ModemSettings& settings,
                       std::unique_ptr<serial::PipeSource> source,
                       std::unique_ptr<ports::Power> power, Reporter& reporter, Log& log)
    : settings_(settings),
      source_(std::move(source)),
      reporter_(reporter),
      opener_(name, settings, *source_, reporter, log),
      pulse_(std::move(power), settings.power_off) {}

SteadyTime PortKeeper::due(ModemState state) const {
    const bool is_wanted =
        state == ModemState::opening || state == ModemState::absent || state == ModemState::failed;
    if (!is_wanted) {
        return never;
    }
    return pulse_.is_off() ? pulse_.due() : opener_.due();
}

Trigger PortKeeper::open(SteadyTime now) {
    pipe_ = opener_.try_open(now);
    if (pipe_) {
        return Trigger::port_opened;
    }
    return opener_.is_missing() ? Trigger::port_missing : Trigger::port_refused;
}

Result<> PortKeeper::adopt(int port) {
    auto pipe = opener_.adopt(port);
    if (!pipe) {
        return std::unexpected(std::move(pipe.error()));
    }
    pipe_ = *std::move(pipe);
    return {};
}

// -- the ladder

Remedy PortKeeper::climb(SteadyTime now) {
    do {  // at most once around: a rung without a power line is always to be had
        rung_ = recovery_.climb();
    } while (!try_remedy(rung_.remedy, now));
    return rung_.remedy;
}

/// False: this modem can't be helped that way.
bool PortKeeper::try_remedy(Remedy remedy, SteadyTime now) {
    switch (remedy) {
        case Remedy::reopen:
            reporter_.befell(ports::Incident::reopened);
            return true;
        case Remedy::reset:
            reporter_.befell(ports::Incident::reset);
            return true;
        case Remedy::power:
            break;
    }
    if (const auto off = pulse_.begin(pipe_, now); !off) {
        if (pulse_.has_power_line()) {
            reporter_.note(LogLevel::warn, "power_not_cycled", off.error().context);
        }
        return false;
    }
    close();
    reporter_.befell(ports::Incident::power_cycled);
    return true;
}

void PortKeeper::plan_after_remedy(SteadyTime now) {
    opener_.plan(
        now + rung_.pause +
        (rung_.remedy == Remedy::power ? settings_.power_off : std::chrono::milliseconds::zero()));
}

void PortKeeper::step_pulse(SteadyTime now) {
    if (const auto on = pulse_.step(now); !on) {
        reporter_.note(LogLevel::error, "power_not_on", on.error().context);
    }
}

}  // namespace smsrack::gsm
