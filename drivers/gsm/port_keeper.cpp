#include "drivers/gsm/port_keeper.hpp"

#include "drivers/serial/pipe_trace.hpp"

#include <utility>

namespace smsrack::gsm {
namespace {

std::string_view reason_of(Errc code) {
    switch (code) {
        case Errc::busy:
            return "port_busy";
        case Errc::not_allowed:
            return "port_not_allowed";
        case Errc::bad_config:
            return "port_settings";
        default:
            return "no_port";
    }
}

}  // namespace

PortKeeper::PortKeeper(const std::string& name, const ModemSettings& settings,
                       std::unique_ptr<serial::PipeSource> source,
                       std::unique_ptr<ports::Power> power, Reporter& reporter, Log& log)
    : settings_(settings),
      source_(std::move(source)),
      reporter_(reporter),
      name_(name),
      log_(log),
      pulse_(std::move(power), settings.power_off) {}

SteadyTime PortKeeper::due(ModemState state) const {
    const bool is_wanted =
        state == ModemState::opening || state == ModemState::absent || state == ModemState::failed;
    if (!is_wanted) {
        return never;
    }
    return pulse_.is_off() ? pulse_.due() : due_;
}

Trigger PortKeeper::open(SteadyTime now) {
    serial::PortSettings how = settings_.port;
    how.kept_baud = std::exchange(was_opened_, true) ? 0 : settings_.fast_baud;
    auto pipe = source_->open(how);
    if (!pipe) {
        was_opened_ = how.kept_baud == 0;
        const Errc code = pipe.error().code;
        reporter_.not_ready(reason_of(code), std::move(pipe.error().context));
        plan_retry(now);
        return code == Errc::no_device ? Trigger::port_missing : Trigger::port_refused;
    }
    pause_.reset();
    plan(never);
    take(*std::move(pipe));
    return Trigger::port_opened;
}

void PortKeeper::take(std::unique_ptr<serial::BytePipe> pipe) {
    pipe_ = log_.enabled(LogLevel::trace) ? serial::traced(std::move(pipe), name_, log_)
                                          : std::move(pipe);
}

void PortKeeper::plan(SteadyTime when) {
    due_ = when;
    retrying_ = false;
}

void PortKeeper::plan_retry(SteadyTime now) {
    due_ = now + pause_.take();
    retrying_ = true;
}

void PortKeeper::retry_now(SteadyTime now) {
    if (retrying_) {
        pause_.reset();
        due_ = now;
    }
}

Result<> PortKeeper::adopt(int port) {
    auto pipe = source_->adopt(port);
    if (!pipe) {
        return std::unexpected(std::move(pipe.error()));
    }
    take(*std::move(pipe));
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
            reporter_.incident(ports::Incident::reopened);
            return true;
        case Remedy::reset:
            reporter_.incident(ports::Incident::reset);
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
    reporter_.incident(ports::Incident::power_cycled);
    return true;
}

void PortKeeper::plan_after_remedy(SteadyTime now) {
    plan(now + rung_.pause +
         (rung_.remedy == Remedy::power ? settings_.power_off : std::chrono::milliseconds::zero()));
}

void PortKeeper::step_pulse(SteadyTime now) {
    if (const auto on = pulse_.step(now); !on) {
        reporter_.note(LogLevel::error, "power_not_on", on.error().context);
    }
}

}  // namespace smsrack::gsm
