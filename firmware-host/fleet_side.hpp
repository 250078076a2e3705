/// This box's part in a fleet: who it is, its connection to the engine, and its desk.
///
/// Made before the store, which asks it whether firm messages may begin; opened when the store and the rack
/// are there.
/// Threads: made, opened and closed by the main thread; `cluster` is the desk's and `engine` the connection's;
///          the const functions by any.
/// Errors:  make(): bad_config: this box has not joined, or under another name, or libpq is missing.
#pragma once

#include "db/postgres/postgres_engine.hpp"
#include "db/sqlite_store.hpp"
#include "firmware-host/box_work_meter.hpp"
#include "firmware-host/fleet_upgrade.hpp"
#include "firmware-host/rack.hpp"
#include "firmware-host/run.hpp"
#include "firmware-host/setup/box_identity.hpp"
#include "firmware-host/wake_socket.hpp"
#include "src/api/api.hpp"
#include "src/base/worker.hpp"
#include "src/cluster/desk.hpp"
#include "src/cluster/door.hpp"
#include "src/ports/sim_shares.hpp"
#include "src/ports/upkeep.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::host {

class FleetSide final : public ports::SimShares {
public:
    /// Null without [cluster]. `run` outlives the object.
    [[nodiscard]] static Result<std::unique_ptr<FleetSide>> make(Run& run);
    ~FleetSide() override;
    FleetSide(const FleetSide&) = delete;
    FleetSide& operator=(const FleetSide&) = delete;

    [[nodiscard]] BoxNumber number() const { return identity_.number; }

    /// Both outlive close(). Starts nothing yet.
    void open(db::SqliteStore& store, Rack& rack);
    /// `upkeep`: carries out orders of other boxes to hand over; `api`: answers their questions. Both outlive close().
    void start(ports::Upkeep& upkeep, api::Api& api);
    /// Clients that wait are answered; the store is called no more.
    void close();

    /// Any thread.
    [[nodiscard]] bool may_begin() const {
        const cluster::FleetDesk* const desk = opened_.load(std::memory_order_acquire);
        return desk != nullptr && desk->may_begin();
    }
    /// Any thread. Likewise, of messages of this level, as far as opt-outs and pauses are known.
    [[nodiscard]] bool knows_rules(Level level) const {
        const cluster::FleetDesk* const desk = opened_.load(std::memory_order_acquire);
        return desk != nullptr && desk->knows_rules(level);
    }
    /// Messages began to wait here, or ended; `stop`: a recipient wants no more.
    void wake(bool stop) {
        if (cluster::FleetDesk* const desk = opened_.load(std::memory_order_acquire)) {
            desk->wake(stop);
        }
    }
    /// Before open(): the main thread alone.
    void follow(ModemId line, std::string iccid, bool has_stayed,
                std::function<void(ports::SimShare)> told) override;
    void leave(ModemId line) override;
    [[nodiscard]] cluster::FleetDoor& door() { return *door_; }
    [[nodiscard]] const Worker& worker() const { return *worker_; }
    [[nodiscard]] std::vector<ports::Condition> conditions() const;

private:
    FleetSide(Run& run, BoxIdentity identity, std::unique_ptr<postgres::PostgresEngine> engine);

    void changed();
    [[nodiscard]] cluster::BoxWork box_work();
    void tell(std::string words);
    void decided(std::string words);
    void note_boxes(const ports::FleetFacts& facts);
    void note_engine(const ports::FleetFacts& facts);
    void give_up(MessageId message, std::function<void(Result<>)> done);
    void answer(ports::BoxQuestion question, std::function<void(ports::BoxAnswer)> done);

    Run& run_;
    const BoxIdentity identity_;
    std::unique_ptr<postgres::PostgresEngine> engine_;
    FleetUpgrade upgrade_;
    // From start() to close(): a job of the loop that comes later finds none.
    std::shared_ptr<api::Api*> api_ = {};
    WakeSocket power_;
    BoxWorkMeter work_ = {};
    db::SqliteStore* store_ = nullptr;  // from open() to close()
    Rack* rack_ = nullptr;              // likewise
    SemaphoreWaiter waiter_;
    std::optional<cluster::FleetDesk> desk_;
    std::atomic<cluster::FleetDesk*> opened_ = nullptr;  // desk_, for other threads
    std::optional<cluster::FleetDoor> door_;
    std::optional<Worker> worker_;
    // Of lines that were left to this run: until open().
    std::vector<std::function<void()>> early_ = {};
    std::map<std::string, bool> silent_;  // boxes, as last told; the desk's thread
    bool away_told_ = false;              // likewise
};

}  // namespace smsrack::host
