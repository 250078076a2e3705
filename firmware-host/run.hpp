/// One run of the service: its configuration, and what all of its parts use.
///
/// Threads: made by the main thread; the rest as the members say.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "firmware-host/process/system_random.hpp"
#include "firmware-host/process/systemd_notify.hpp"
#include "firmware-host/setup/configuration.hpp"
#include "firmware-host/system/log_tail.hpp"
#include "src/base/guarded_clock.hpp"
#include "src/base/limited_log.hpp"
#include "src/stats/stats.hpp"

#include <string>
#include <utility>

namespace smsrack::host {

struct Run {
    /// `all_stats`, `to`, `kept` and `machine` outlive the run.
    Run(Configuration checked, std::string file, stats::Stats& all_stats, LimitedLog& to,
        const LogTail& kept, const Clock& machine)
        : configuration(std::move(checked)),
          config_file(std::move(file)),
          stats(all_stats),
          log(to),
          log_tail(kept),
          clock(machine, configuration.settings.service.clock_wait) {}

    const Configuration configuration;
    const config::Settings& settings = configuration.settings;
    const std::string config_file;  ///< read again at a reload
    stats::Stats& stats;
    LimitedLog& log;
    const LogTail& log_tail;  ///< what it wrote last
    GuardedClock clock;
    SystemRandom random = {};
    net::Loop loop = {};
    SystemdNotify systemd = systemd_of_environment();
};

}  // namespace smsrack::host
