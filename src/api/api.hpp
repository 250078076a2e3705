/// The local API: takes HTTP requests, calls the rack and the store, and answers in JSON. The calls
/// are described in /v1/openapi.json.
///
/// Threads: handle() and stream() on the loop thread. Reads run on the store's pool, durable
/// answers come from the store's
///          writing thread; both are posted back to the loop.
/// Errors:  every refusal is a problem+json of RFC 9457.
#pragma once

#include "src/access/token_uses.hpp"
#include "src/api/access.hpp"
#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/intake/intake.hpp"
#include "src/notify/event_stream.hpp"
#include "src/notify/front_ends.hpp"
#include "src/ports/audit_store.hpp"
#include "src/ports/box_view.hpp"
#include "src/ports/client_store.hpp"
#include "src/ports/control_store.hpp"
#include "src/ports/fleet.hpp"
#include "src/ports/hand_order.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/rack_view.hpp"
#include "src/ports/self_sms_orders.hpp"
#include "src/ports/store.hpp"
#include "src/ports/store_rules.hpp"
#include "src/ports/token_orders.hpp"
#include "src/ports/upkeep.hpp"
#include "src/sms/address.hpp"
#include "src/sms/ageing.hpp"
#include "src/sms/error_table.hpp"
#include "src/sms/level.hpp"
#include "src/stats/stats.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/remote_streams.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::trigger {
class Door;
}  // namespace smsrack::trigger

namespace smsrack::webhook {
class Webhooks;
}  // namespace smsrack::webhook

namespace smsrack::api {

class BulkWindow;
class RefusalNotes;
class TriggerFeeds;

/// Everything the calls talk to. All outlive the Api.
struct ApiParts {
    intake::Intake& intake;
    ports::Store& store;
    const ports::RackView& rack;
    ports::LineOrders& orders;
    notify::EventStream& events;
    stats::Stats& stats;
    Executor& loop;
    const Clock& clock;
    const ErrorTable& errors;
    ports::RackStore& rack_store;
    ports::ControlStore& control;
    ports::ClientStore& clients;
    notify::FrontEnds& front_ends;
    ports::AuditStore& audit;
    trigger::Door* triggers = nullptr;  ///< null: there are none
    ports::Upkeep* upkeep = nullptr;    ///< null: this program is not to be upgraded or reloaded
    ports::SelfSmsOrders* self_sms = nullptr;    ///< null: this program sends none by order
    const access::TokenBook* tokens = nullptr;   ///< null: none calls over the network
    access::TokenUses* token_uses = nullptr;     ///< null: nothing is noted
    ports::TokenOrders* token_orders = nullptr;  ///< null: there are no tokens
    const ports::BoxView* box = nullptr;         ///< null: this program is no service on a machine
    webhook::Webhooks* webhooks = nullptr;       ///< null: there are none
    RefusalNotes* refusals = nullptr;            ///< null: no row says what rules refuse
    ports::FleetControl* fleet = nullptr;        ///< null: this box is a gateway of its own
};

struct ApiSettings {
    std::string version = {};
    NumberPlan plan = {};  ///< for `to=` of the list
    std::array<std::int64_t, level_count> sla_ms = {};
    AccessRules access = {};
    std::string uncertain_policy = "report";  ///< [queue] uncertain, for explanations
    std::int64_t retry_limit = 3;             ///< [queue], likewise
    AgeingRules ageing = {};                  ///< likewise
    ports::OptOutRules opt_out = {};          ///< likewise, and for previews
};

struct Call;
struct Found;
class SmppBoard;
class Submitter;

class Api final : public wire::HttpHandler {
public:
    Api(ApiParts parts, ApiSettings settings);
    ~Api() override;

    [[nodiscard]] bool wants_stream(const wire::HttpRequest& head) const override;
    [[nodiscard]] std::size_t answer_bytes(const wire::HttpRequest& request) const override;
    void handle(wire::HttpRequest request, wire::ResponderPtr responder) override;
    [[nodiscard]] std::unique_ptr<wire::BodyReader> stream(wire::HttpRequest head,
                                                           wire::ResponderPtr responder) override;
    [[nodiscard]] std::unique_ptr<wire::BodyReader> resume(std::string mark, const wire::Peer& peer,
                                                           wire::ResponderPtr responder) override;
    [[nodiscard]] wire::HttpResponse refusal(int status, std::string_view reason) const override;

    /// Answers another box of the fleet, whose caller has the role `read` there. `done`: once, on any thread; it may also be dropped.
    void answer(ports::BoxQuestion question, std::function<void(ports::BoxAnswer)> done);

    /// Other tokens count than before: ends the streams of those that do no more.
    void tokens_changed();

private:
    [[nodiscard]] Result<Caller> may_call(const wire::HttpRequest& request, const Found& found);
    /// nullopt, and answered: this caller may not.
    [[nodiscard]] std::optional<Call> call_of(wire::HttpRequest request,
                                              wire::ResponderPtr responder, Found found);
    [[nodiscard]] Call call_by(Caller caller, wire::HttpRequest request,
                               wire::ResponderPtr responder, std::string argument);
    [[nodiscard]] const access::TokenBook& tokens() const;
    void note_stream(const Caller& caller, const wire::ResponderPtr& responder);

    const ApiParts parts_;
    const ApiSettings settings_;
    const SteadyTime started_at_;
    const std::unique_ptr<Submitter> submitter_;
    const std::shared_ptr<BulkWindow> bulk_;
    const std::unique_ptr<TriggerFeeds> feeds_;
    const std::unique_ptr<SmppBoard> smpp_;
    const std::unique_ptr<wire::RemoteStreams> remote_streams_;
};

/// The OpenAPI 3.1 description, as served.
[[nodiscard]] std::string_view openapi_json();

}  // namespace smsrack::api
