/// All that clients reach: intake, triggers and front ends, the API in front of them, and its server.
///
/// Threads: the loop thread.
#pragma once

#include "db/sqlite_store.hpp"
#include "firmware-host/box_of_run.hpp"
#include "firmware-host/loop_timer.hpp"
#include "firmware-host/net/http_server.hpp"
#include "firmware-host/rack.hpp"
#include "firmware-host/run.hpp"
#include "firmware-host/token_state.hpp"
#include "firmware-host/tokens/tokens_file.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/api/api.hpp"
#include "src/api/submit/refusal_notes.hpp"
#include "src/base/executor.hpp"
#include "src/cluster/door.hpp"
#include "src/intake/intake.hpp"
#include "src/notify/event_stream.hpp"
#include "src/notify/front_ends.hpp"
#include "src/ports/upkeep.hpp"
#include "src/trigger/engine.hpp"
#include "src/webhook/board.hpp"
#include "src/webhook/webhooks.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace smsrack::host {

class ClientSide {
public:
    /// `files` writes small ones. `away`: clients that may come back still, from the run before. All
    /// else outlives the object. `fleet`: null where this box is in none.
    ClientSide(Run& run, db::SqliteStore& store, Executor& files, Rack& rack,
               notify::EventStream& events, ports::Upkeep& upkeep,
               webhook::WebhookBoard& webhook_board, cluster::FleetDoor* fleet,
               const std::vector<notify::FrontEndCarried>& away);

    /// Adopts listener and clients of `left`, or makes a listener. busy: another service has the socket.
    [[nodiscard]] Result<> listen(HandOver& left);
    [[nodiscard]] net::HttpServer& server() { return server_; }
    [[nodiscard]] api::Api& api() { return api_; }
    /// Clients that wait for other boxes are answered now, that they can't be: they hold up no hand-over.
    void end_questions() {
        if (fleet_ != nullptr) {
            fleet_->end_questions();
        }
    }

    /// No more events of triggers are taken, and nothing more is given to the gate.
    void close_triggers() {
        engine_.close();
        if (webhooks_) {
            webhooks_->drain();
        }
    }
    /// Clients that may come back; before close().
    [[nodiscard]] std::vector<notify::FrontEndCarried> away() const { return front_ends_.away(); }
    /// No timer runs, and the store is called no more.
    void close();
    /// Moves connections and listener into `left`; after close().
    void leave(HandOver& left);

private:
    cluster::FleetDoor* const fleet_;
    const api::ApiSettings settings_;
    const BoxOfRun box_;
    std::optional<TokensFile> tokens_;       // nullopt: no [http]
    std::optional<TokenState> token_state_;  // likewise
    intake::Intake intake_;
    LoopTimer engine_timer_;
    trigger::Engine engine_;
    LoopTimer front_ends_timer_;
    notify::FrontEnds front_ends_;
    LoopTimer webhooks_timer_;
    std::unique_ptr<webhook::Webhooks> webhooks_;  // null: there is no [[webhook]]
    LoopTimer refusals_timer_;
    api::RefusalNotes refusals_;
    api::Api api_;
    net::HttpServer server_;
};

}  // namespace smsrack::host
