#include "firmware-host/life.hpp"

#include "db/engine/migrate.hpp"
#include "firmware-host/process/log_sink.hpp"
#include "firmware-host/system/log_tail.hpp"
#include "firmware-host/system/systemd_fds.hpp"
#include "firmware-host/upgrade/hand_over_text.hpp"
#include "firmware-host/upgrade/migration_trial.hpp"
#include "firmware-host/version.hpp"
#include "src/base/limited_log.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <utility>

namespace smsrack::host {
namespace {

using namespace std::chrono_literals;

constexpr auto hand_over_within = 2h;  // of the hello: the older program says when it is over
constexpr auto word_within = 60s;      // it gives up earlier, by its own limit

constexpr std::array signals{SIGTERM, SIGINT, SIGHUP};

/// While the socket does not listen, they wait.
void block_signals(bool block) {
    sigset_t set{};
    sigemptyset(&set);
    for (const int number : signals) {
        sigaddset(&set, number);
    }
    (void)pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr);
}

bool stop_waits() {
    sigset_t waiting{};
    return sigpending(&waiting) == 0 &&
           (sigismember(&waiting, SIGTERM) == 1 || sigismember(&waiting, SIGINT) == 1);
}

}  // namespace

Life::Life(Configuration configuration, std::string config_file, bool for_journal,
           const Clock& clock)
    : configuration_(std::move(configuration)),
      config_file_(std::move(config_file)),
      for_journal_(for_journal),
      clock_(clock),
      systemd_(systemd_of_environment()) {}

Result<> Life::start() {
    auto left = hand_over_of(fds_of_environment());
    remove_trial(configuration_.settings.service.state_dir);
    if (left) {
        forget_stored(systemd_, *left);
        left->held_since = {};
        return live(*std::move(left), {}, [](const Result<>& prepared) { return prepared; });
    }
    LogSink(configuration_.settings.service.log_level, for_journal_, clock_)
        .warn("stored_not_usable", {{"why", left.error().context}});
    forget_stored(systemd_, {});
    return live({}, {}, [](const Result<>& prepared) { return prepared; });
}

Result<> Life::take_over() {
    HandOverLink link{serial::OwnedFd(inherited_fd)};
    const SteadyTime began = clock_.steady();
    const Hello hello{.protocol = hand_over_protocol,
                      .version = std::string(version),
                      .schema = static_cast<int>(db::migrations().size())};
    if (auto sent = link.send_line(hello_line(hello), began + word_within); !sent) {
        return sent;
    }
    auto left = link.receive(began + hand_over_within);  // waits until it comes
    if (!left) {
        return std::unexpected(std::move(left.error()));
    }
    const auto may_begin = [&](const Result<>& prepared) -> Result<> {
        const SteadyTime by = clock_.steady() + word_within;
        if (!prepared) {
            (void)link.send_line(failed_line(prepared.error().context), by);
            return prepared;
        }
        if (auto sent = link.send_line(line_of("ready"), by); !sent) {
            return sent;
        }
        if (const auto go = link.line(by); !go || !says(*go, "go")) {
            return fail(Errc::closed, "the older program keeps running");
        }
        return link.send_line(line_of("took"), by);
    };
    return live(*std::move(left), {.upgrade = ports::UpgradeReport{}}, may_begin);
}

Result<> Life::live(HandOver left, ports::UpkeepOutcome outcome, MayBegin may_begin) {
    LogTail tail(clock_);
    for (;;) {
        LogSink sink(configuration_.settings.service.log_level, for_journal_, clock_);
        LogKeeper keeper(sink, tail);
        LimitedLog log(keeper, clock_);
        block_signals(true);  // before any thread, so that they come to this one alone
        auto service =
            std::make_unique<Service>(configuration_, config_file_, stats_, log, tail, clock_);
        const auto prepared = service->prepare(std::move(left), std::move(outcome));
        if (auto may = may_begin(prepared); !may) {
            return may;
        }
        if (auto begun = service->begin(); !begun) {
            return begun;
        }
        block_signals(false);
        Ending ending = service->run();
        if (ending.for_good()) {
            if (ending.keeps_descriptors) {
                left = service->leave();
                service.reset();
                log.info("stored", {{"lines", left.lines.size()}, {"kept", store(systemd_, left)}});
            }
            return {};
        }
        block_signals(true);
        left = service->leave();
        left.held_since = ending.held_since;
        service.reset();
        outcome = {};
        may_begin = [](const Result<>& again) { return again; };
        if (ending.successor) {
            auto taken = leave_to(ending, left, log);
            if (taken && (ending.stop_asked || stop_waits())) {
                (void)::kill(ending.successor->pid(), SIGTERM);
            }
            if (taken || taken.error().code == Errc::internal) {
                return taken;
            }
            outcome.upgrade = std::unexpected(std::move(taken.error()));
        } else {
            outcome = take(*std::move(ending.configuration), left, log);
        }
        if (ending.stop_asked) {
            (void)std::raise(SIGTERM);  // waits for the next run
        }
    }
}

/// A migration that is broken off by the limit may be half done, and this version can't read that: so it has as long as it
/// took on the copy, twice.
Result<> Life::leave_to(const Ending& ending, const HandOver& left, Log& log) {
    Successor& successor = *ending.successor;
    const auto migration = std::chrono::ceil<std::chrono::seconds>(2 * ending.tried_for);
    auto taken =
        successor.hand_over(left, configuration_.settings.service.upgrade_limit + migration);
    if (taken) {
        systemd_.main_pid(successor.pid());
        log.info("upgraded", {{"binary", successor.binary()}, {"pid", successor.pid()}});
    } else {
        log.error("upgrade_failed", {{"why", taken.error().context}});
        if (taken.error().code != Errc::internal) {
            taken.error().code = Errc::conflict;
        }
    }
    return taken;
}

/// The same program continues with other settings.
ports::UpkeepOutcome Life::take(NewConfiguration configuration, HandOver& left, Log& log) {
    configuration_ = std::move(configuration.configuration);
    for (const config::ConfigProblem& warning : configuration_.warnings) {
        log.warn("config_warning", {{"what", config::warning_line(config_file_, warning)}});
    }
    std::erase_if(left.lines, [&](const LineHandOver& line) {
        return configuration.plan.ending.contains(line.name);
    });
    ports::ReloadReport report{.applied = std::move(configuration.plan.applied),
                               .needs_restart = std::move(configuration.plan.needs_restart)};
    log_reload(log, report);
    return {.reload = std::move(report)};
}

}  // namespace smsrack::host
