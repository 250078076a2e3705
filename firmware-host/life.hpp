/// The life of the process: one run of the service after the other, each with what the run before
/// handed over, until the process stops or another program has adopted everything.
///
/// Threads: the main thread. Between two runs no signal is lost: SIGTERM, SIGINT and SIGHUP wait for the next one.
/// Errors:  what could not be made; closed: the program that started this one does not hand over to
///          it.
/// Source:  docs/decisions/0018-hand-over.md.
#pragma once

#include "firmware-host/process/systemd_notify.hpp"
#include "firmware-host/service.hpp"
#include "firmware-host/setup/configuration.hpp"
#include "firmware-host/upgrade/hand_over_link.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/ports/upkeep.hpp"
#include "src/stats/stats.hpp"

#include <functional>
#include <string>

namespace smsrack::host {

class Life {
public:
    /// `for_journal`: standard error is the journal's. `clock` outlives the object.
    Life(Configuration configuration, std::string config_file, bool for_journal,
         const Clock& clock);

    /// Until the end, from a start of its own.
    [[nodiscard]] Result<> start();
    /// Until the end, from what another program hands over at `inherited_fd`.
    [[nodiscard]] Result<> take_over();

private:
    /// Called between prepare() and begin(): may this run read?
    using MayBegin = std::function<Result<>(const Result<>& prepared)>;

    [[nodiscard]] Result<> live(HandOver left, ports::UpkeepOutcome outcome, MayBegin may_begin);
    [[nodiscard]] Result<> leave_to(const Ending& ending, const HandOver& left, Log& log);
    [[nodiscard]] ports::UpkeepOutcome take(NewConfiguration configuration, HandOver& left,
                                            Log& log);

    Configuration configuration_;
    const std::string config_file_;
    const bool for_journal_;
    const Clock& clock_;
    stats::Stats stats_;
    SystemdNotify systemd_;
};

}  // namespace smsrack::host
