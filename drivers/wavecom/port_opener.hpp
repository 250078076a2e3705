/// Gets the port, again and again with growing pauses, and says why not.
///
/// Time:    100 ms at first, since a port that was replugged is there soon, growing to 5 s. After
/// the modem did not answer:
///          by the ladder of recovery.
/// Threads: the line's thread.
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "drivers/serial/pipe_trace.hpp"
#include "drivers/wavecom/backoff.hpp"
#include "drivers/wavecom/modem_settings.hpp"
#include "drivers/wavecom/reporter.hpp"
#include "src/base/clock.hpp"

#include <memory>
#include <string>

namespace smsrack::wavecom {

class PortOpener {
public:
    /// All outlive this object. With `log_level trace` the pipes are tapped.
    PortOpener(const std::string& name, const ModemSettings& settings, serial::PipeSource& source,
               Reporter& reporter, Log& log);

    /// The next try is at `when`.
    void plan(SteadyTime when) { due_ = when; }
    void plan_retry(SteadyTime now) { due_ = now + pause_.take(); }

    [[nodiscard]] SteadyTime due() const { return due_; }

    /// Tries if it is time; null: not yet, or in vain.
    [[nodiscard]] std::unique_ptr<serial::BytePipe> try_open(SteadyTime now);

private:
    const ModemSettings& settings_;
    serial::PipeSource& source_;
    Reporter& reporter_;
    Log& log_;
    serial::LogTap tap_;
    Backoff pause_;
    SteadyTime due_ = never;
};

}  // namespace smsrack::wavecom
