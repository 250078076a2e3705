/// The composition root: makes all objects in order, starts the threads, and ends them in reverse.
/// One object is one run. After an upgrade or a reload main makes the next one from what this one
/// handed over.
///
/// Threads: run() on the main thread, which becomes the loop thread.
/// Errors:  prepare(), begin(): what the first object said that could not be made, for one line on standard error.
#pragma once

#include "firmware-host/client_side.hpp"
#include "firmware-host/codec_pool.hpp"
#include "firmware-host/fleet_side.hpp"
#include "firmware-host/lifecycle_states.hpp"
#include "firmware-host/open_store.hpp"
#include "firmware-host/rack.hpp"
#include "firmware-host/rack_address.hpp"
#include "firmware-host/run.hpp"
#include "firmware-host/service_upkeep.hpp"
#include "firmware-host/service_watch.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"
#include "src/ports/upkeep.hpp"
#include "src/webhook/board.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::host {

/// A line of what was applied, and one of what waits.
void log_reload(Log& log, const ports::ReloadReport& report);

class Service {
public:
    /// `config_file` is read again at a reload. `stats`, `log`, `log_tail` and `clock` outlive the
    /// service.
    Service(Configuration configuration, std::string config_file, stats::Stats& stats,
            LimitedLog& log, const LogTail& log_tail, const Clock& clock);
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    /// Opens the store and makes the rack; nothing is read or written but the database. `left` by the run before: what
    /// of it fits this configuration continues. `outcome`: of the order that this run came of.
    /// busy: another service has the state_dir; newer_database, damaged_database, not_allowed, storage;
    /// bad_config: [cluster] is not what this box has joined.
    [[nodiscard]] Result<> prepare(HandOver left, ports::UpkeepOutcome outcome);

    /// From here on it reads: listens, and starts the lines. busy: another service has the socket.
    [[nodiscard]] Result<> begin();

    /// Runs until SIGTERM or SIGINT came and what was in flight has ended, or until this run must
    /// hand everything over to another one.
    [[nodiscard]] Ending run();

    /// After run() ended for another one: everything that continues there. Then the object must be
    /// destroyed.
    [[nodiscard]] HandOver leave();

private:
    [[nodiscard]] Result<> make_rack();
    [[nodiscard]] std::vector<ports::Condition> conditions() const;
    void note_pause();
    bool move(LifeEvent event);
    void stop_asked();
    [[nodiscard]] bool is_drained() const;
    void end_timers();

    Run run_;
    CodecPool codec_pool_;
    RackAddress address_;
    std::unique_ptr<FleetSide> fleet_;  // null without [cluster]
    OpenStore store_;
    webhook::WebhookBoard webhook_board_;
    std::unique_ptr<Rack> rack_;
    std::optional<ServiceUpkeep> upkeep_;
    std::optional<ClientSide> clients_;
    std::optional<ServiceWatch> watch_;
    std::vector<net::LoopWatchPtr> watches_;  // of signals and draining
    struct {
        LifeState state = LifeState::starting;
        bool answered = false;          // all clients
        serial::OwnedFd listener = {};  // for the next start
    } drain_ = {};
    HandOver left_ = {};  // by the run before, until this one has adopted it
    ports::UpkeepOutcome outcome_ = {};
    Ending ending_ = {};
};

}  // namespace smsrack::host
