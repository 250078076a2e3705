/// Gets the port, again and again with growing pauses, and says why not.
///
/// Time:    100 ms at first, since a port that was replugged is there soon, growing to 5 s. After
/// the modem did not answer:
///          by the ladder of recovery.
/// Threads: the line's thread.
#pragma once

#include "drivers/gsm/backoff.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/reporter.hpp"
#include "drivers/serial/byte_pipe.hpp"
#include "drivers/serial/pipe_trace.hpp"
#include "src/base/clock.hpp"

#include <memory>
#include <string>

namespace smsrack::gsm {

class PortOpener {
public:
    /// All outlive this object. With `log_level trace` the pipes are tapped.
    PortOpener(const std::string& name, const ModemSettings& settings, serial::PipeSource& source,
               Reporter& reporter, Log& log);

    /// The next try is at `when`, whatever happens to the port meanwhile.
    void plan(SteadyTime when);
    /// The next try is soon, and each one in vain puts the next further off.
    void plan_retry(SteadyTime now);
    /// Something happened to the port: a planned retry is due now.
    void retry_now(SteadyTime now);

    [[nodiscard]] SteadyTime due() const { return due_; }

    /// Null: in vain, and the next try is planned.
    [[nodiscard]] std::unique_ptr<serial::BytePipe> try_open(SteadyTime now);

    /// A port that an earlier owner left open. no_device: the source can't take it over.
    [[nodiscard]] Result<std::unique_ptr<serial::BytePipe>> adopt(int port);

    /// The last try found no such device.
    [[nodiscard]] bool is_missing() const { return missing_; }

private:
    const ModemSettings& settings_;
    serial::PipeSource& source_;
    Reporter& reporter_;
    Log& log_;
    serial::LogTap tap_;
    Backoff pause_;
    SteadyTime due_ = never;
    bool retrying_ = false;  // due_ is by plan_retry()
    bool missing_ = false;
};

}  // namespace smsrack::gsm
