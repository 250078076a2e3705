#include "drivers/gsm/port_opener.hpp"

#include <utility>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

constexpr auto pause_first = 100ms;
constexpr auto pause_last = 5s;

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

PortOpener::PortOpener(const std::string& name, const ModemSettings& settings,
                       serial::PipeSource& source, Reporter& reporter, Log& log)
    : settings_(settings),
      source_(source),
      reporter_(reporter),
      log_(log),
      tap_(name, log),
      pause_(pause_first, pause_last) {}

void PortOpener::plan(SteadyTime when) {
    due_ = when;
    retrying_ = false;
}

void PortOpener::plan_retry(SteadyTime now) {
    due_ = now + pause_.take();
    retrying_ = true;
}

void PortOpener::retry_now(SteadyTime now) {
    if (retrying_) {
        pause_.reset();
        due_ = now;
    }
}

std::unique_ptr<serial::BytePipe> PortOpener::try_open(SteadyTime now) {
    auto pipe = source_.open(settings_.port);
    if (!pipe) {
        missing_ = pipe.error().code == Errc::no_device;
        reporter_.not_ready(reason_of(pipe.error().code), std::move(pipe.error().context));
        plan_retry(now);
        return nullptr;
    }
    pause_.reset();
    plan(never);
    missing_ = false;
    return log_.enabled(LogLevel::trace) ? serial::traced(std::move(*pipe), tap_)
                                         : std::move(*pipe);
}

Result<std::unique_ptr<serial::BytePipe>> PortOpener::adopt(int port) {
    auto pipe = source_.adopt(port);
    if (pipe && log_.enabled(LogLevel::trace)) {
        return serial::traced(std::move(*pipe), tap_);
    }
    return pipe;
}

}  // namespace smsrack::gsm
