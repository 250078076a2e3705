/// The port of one modem, opened again and again with growing pauses, and the remedies for a modem that does not
/// answer: the port again, a restart, its power.
///
/// Time:    a try is planned 100 ms after the one before, since a port that was replugged is there soon; growing to
///          5 s. After the modem did not answer: by the ladder of recovery. due() says when the next one is.
/// Threads: the line's thread; waiter().wake() from any.
#pragma once

#include "drivers/gsm/backoff.hpp"
#include "drivers/gsm/modem_settings.hpp"
#include "drivers/gsm/modem_states.hpp"
#include "drivers/gsm/power_pulse.hpp"
#include "drivers/gsm/recovery.hpp"
#include "drivers/gsm/reporter.hpp"

#include <memory>
#include <string>

namespace smsrack::gsm {

class PortKeeper {
public:
    static constexpr std::chrono::milliseconds pause_first{100};
    static constexpr std::chrono::milliseconds pause_last{5000};

    /// All but `source` and `power` outlive this object. `power`: null where the board has no power line. With
    /// `log_level trace` the pipes are tapped.
    PortKeeper(const std::string& name, const ModemSettings& settings,
               std::unique_ptr<serial::PipeSource> source, std::unique_ptr<ports::Power> power,
               Reporter& reporter, Log& log);

    [[nodiscard]] Waiter& waiter() { return source_->waiter(); }
    /// Null: it is closed.
    [[nodiscard]] serial::BytePipe* pipe() const { return pipe_.get(); }
    [[nodiscard]] bool is_open() const { return pipe_ != nullptr; }

    // -- to be opened
    /// When open() must be called, in this state; never: it is not wanted.
    [[nodiscard]] SteadyTime due(ModemState state) const;
    /// port_opened, port_missing or port_refused; then the next try is planned.
    [[nodiscard]] Trigger open(SteadyTime now);
    /// The next try is at `when`, whatever happens to the port meanwhile.
    void plan(SteadyTime when);
    /// The next try is soon, and each one in vain puts the next further off.
    void plan_retry(SteadyTime now);
    /// Something happened to the port: a planned retry is due now.
    void retry_now(SteadyTime now);
    void close() { pipe_.reset(); }
    /// A port that an earlier owner left open. no_device: it can't be adopted.
    [[nodiscard]] Result<> adopt(int port);

    // -- a modem that does not answer
    /// It did not answer, and draining helped. True: that is not enough any more.
    [[nodiscard]] bool stumbles_on(SteadyTime now) { return recovery_.stumbles_on(now); }
    /// Tries the next remedy, which may close the port. For `reset` the caller sends the command that
    /// restarts this modem.
    Remedy climb(SteadyTime now);
    /// What was tried last was in vain so often that a person must help.
    [[nodiscard]] bool is_out_of_service() const { return rung_.out_of_service; }
    /// The port is opened again when what was tried has had its time.
    void plan_after_remedy(SteadyTime now);
    void modem_ready() { recovery_.ready(); }
    void submit_answered() { recovery_.reset(); }

    /// Switches the power on again when it is time.
    void step_pulse(SteadyTime now);
    [[nodiscard]] SteadyTime pulse_due() const { return pulse_.due(); }

private:
    [[nodiscard]] bool try_remedy(Remedy remedy, SteadyTime now);
    void take(std::unique_ptr<serial::BytePipe> pipe);

    const ModemSettings& settings_;
    const std::unique_ptr<serial::PipeSource> source_;
    Reporter& reporter_;
    const std::string name_;
    Log& log_;
    std::unique_ptr<serial::BytePipe> pipe_;
    Backoff pause_{pause_first, pause_last};
    SteadyTime due_ = never;
    // By this process: the rate that an earlier one left is no hint any more.
    bool was_opened_ = false;
    bool retrying_ = false;  // due_ is by plan_retry()
    Recovery recovery_;
    PowerPulse pulse_;
    Rung rung_ = {};  // climbed last
};

}  // namespace smsrack::gsm
