/// An upgrade or a reload, up to the moment in which this run of the service ends. It brings
/// everything to a state that can be handed over, while clients and lines continue as long as they
/// can.
///
/// Time:    lines wait at most [service] upgrade_limit_s; in the last step, in which no request is read, at
///          most clients_limit. A line that ends may take as long as its submit.
/// Threads: the loop thread.
/// Errors:  in words for the caller; then everything continues as before.
#pragma once

#include "firmware-host/client_side.hpp"
#include "firmware-host/rack.hpp"
#include "firmware-host/reload_plan.hpp"
#include "firmware-host/run.hpp"
#include "firmware-host/upgrade/migration_trial.hpp"
#include "firmware-host/upgrade/successor.hpp"
#include "firmware-host/upkeep_states.hpp"
#include "src/base/clock.hpp"
#include "src/ports/upkeep.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace smsrack::host {

/// Why the run of the service is over: for a successor, for another configuration, or for good.
struct Ending {
    std::unique_ptr<Successor> successor = {};
    std::optional<NewConfiguration> configuration = {};
    SteadyTime held_since = {};             ///< since then no request is read
    std::chrono::nanoseconds tried_for{0};  ///< the successor's migration took this long on a copy
    bool stop_asked = false;                ///< SIGTERM came when it was too late for this run
    bool keeps_descriptors = false;         ///< for good, but systemd may restart the service

    [[nodiscard]] bool for_good() const { return !successor && !configuration; }
};

class ServiceUpkeep final : public ports::Upkeep {
public:
    static constexpr std::chrono::seconds clients_limit{2};

    /// `outcome`: of the order that caused this run. `frozen` is called at the end: the loop must
    /// be stopped. `clients` is made before the first order comes; all outlive the object.
    ServiceUpkeep(Run& run, Rack& rack, std::optional<ClientSide>& clients,
                  ports::UpkeepOutcome outcome, std::function<void(Ending)> frozen);
    ~ServiceUpkeep() override;

    void upgrade(ports::UpgradeOrder order, Refused refused) override;
    void reload(Reloaded reloaded) override { reload(std::move(reloaded), false); }
    /// A reload that ends this run although nothing in the configuration has changed.
    void begin_anew(Reloaded reloaded) { reload(std::move(reloaded), true); }
    [[nodiscard]] const ports::UpkeepOutcome& outcome() const override { return outcome_; }

    /// The service is to stop: what is under way is called off.
    void call_off();

private:
    bool move(UpkeepEvent event);
    [[nodiscard]] std::optional<Error> not_now() const;
    void give_up(std::string why, Errc code = Errc::conflict);
    void reload(Reloaded reloaded, bool if_unchanged);
    void let_go();
    void hello_came();
    void judge(const Hello& hello);
    void try_migration(const Hello& hello);
    void hold_lines();
    void look();
    void look_at_ending_lines();
    void look_at_held_lines();
    void look_at_threads();
    void look_at_clients();
    [[nodiscard]] std::string words_of_late(line::LineAddress::Want want) const;
    void freeze();

    Run& run_;
    Rack& rack_;
    std::optional<ClientSide>& clients_;
    const ports::UpkeepOutcome outcome_;
    const std::function<void(Ending)> frozen_;

    UpkeepState state_ = UpkeepState::idle;
    ports::UpgradeOrder order_ = {};
    std::move_only_function<void(const Error&)> refused_;
    std::optional<TrustedProgram> program_;  // of the upgrade that is under way
    std::unique_ptr<Successor> successor_;
    std::optional<NewConfiguration> configuration_;
    std::unique_ptr<MigrationTrial> trial_;
    net::LoopWatchPtr hello_watch_;
    net::LoopWatchPtr look_watch_;
    SteadyTime deadline_ = never;    // of the state
    SteadyTime patient_until_ = {};  // with modems that are being set up
    SteadyTime held_since_ = {};
    std::chrono::nanoseconds tried_for_{0};
    std::atomic<bool> threads_ended_ = false;
    std::jthread stopper_;  // waits for the rack's threads, so that the loop need not
};

}  // namespace smsrack::host
