#include "firmware-host/client_side.hpp"

#include "firmware-host/service_settings.hpp"
#include "firmware-host/setup/trigger_files.hpp"
#include "src/api/webhooks/delivery_body.hpp"

#include <utility>

namespace smsrack::host {

namespace {

/// Null where there is nothing to send, or the store only reads.
std::unique_ptr<webhook::Webhooks> webhooks_of(Run& run, db::SqliteStore& store,
                                               notify::EventStream& events,
                                               webhook::WebhookBoard& board, LoopTimer& timer) {
    if (run.settings.webhooks.empty() || store.reads_only()) {
        return nullptr;
    }
    return std::make_unique<webhook::Webhooks>(
        run.settings.webhooks,
        webhook::WebhookWorld{
            .store = store,
            .log = static_cast<ports::Store&>(store),
            .stream = events,
            .loop = run.loop,
            .clock = run.clock,
            .random = run.random,
            .build = [&errors = run.configuration.errors](
                         ports::StoreReader& reader, const Event& event,
                         bool text) { return api::delivery_of(reader, event, text, errors); },
            .by = [&timer](SteadyTime at) { timer.by(at); }},
        events, board);
}

}  // namespace

ClientSide::ClientSide(Run& run, db::SqliteStore& store, Executor& files, Rack& rack,
                       notify::EventStream& events, ports::Upkeep& upkeep,
                       webhook::WebhookBoard& webhook_board, cluster::FleetDoor* fleet,
                       const std::vector<notify::FrontEndCarried>& away)
    : fleet_(fleet),
      settings_(api_settings(run.settings, run.log)),
      box_(run),
      tokens_(run.settings.http
                  ? std::optional<TokensFile>(std::in_place, run.settings.http->tokens,
                                              TokensFile::Parts{run.loop, run.clock, run.log},
                                              [this] { api_.tokens_changed(); })
                  : std::nullopt),
      token_state_(
          tokens_ ? std::optional<TokenState>(std::in_place, run.settings.service.state_dir,
                                              run.settings.service.socket,
                                              TokenState::Parts{*tokens_, run.loop, files, run.log})
                  : std::nullopt),
      intake_(intake_settings(run.settings, rack.quiet_hours()), store, run.clock,
              &rack.admission(), &rack.sims(), fleet),
      engine_timer_(run.loop, run.clock, [this, &run] { return engine_.step(run.clock.steady()); }),
      engine_(run.configuration.triggers, trigger_settings(run.settings, run.random),
              {store, intake_, run.loop, run.clock, run.log,
               [this](SteadyTime at) { engine_timer_.by(at); }}),
      front_ends_timer_(run.loop, run.clock,
                        [this, &run] { return front_ends_.step(run.clock.steady()); }),
      front_ends_({.disconnect = run.settings.clients.disconnect,
                   .heartbeat = run.settings.clients.heartbeat},
                  store, run.clock),
      webhooks_timer_(
          run.loop, run.clock,
          [this, &run] { return webhooks_ ? webhooks_->step(run.clock.steady()) : never; }),
      webhooks_(webhooks_of(run, store, events, webhook_board, webhooks_timer_)),
      refusals_timer_(run.loop, run.clock,
                      [this, &run] { return refusals_.step(run.clock.steady()); }),
      refusals_(store, run.clock),
      api_({intake_,
            store,
            rack.view(),
            rack,
            events,
            run.stats,
            run.loop,
            run.clock,
            run.configuration.errors,
            store,
            store,
            store,
            front_ends_,
            store,
            &engine_,
            &upkeep,
            store.reads_only() ? nullptr : &rack.self_sms_orders(),
            tokens_ ? &tokens_->book() : nullptr,
            token_state_ ? &token_state_->uses() : nullptr,
            token_state_ ? &*token_state_ : nullptr,
            &box_,
            webhooks_.get(),
            store.reads_only() ? nullptr : &refusals_,
            fleet},
           settings_),
      server_(server_settings(run.settings.service, settings_.access),
              {run.loop, api_, run.stats, run.clock, run.log}) {
    if (!store.reads_only()) {
        engine_timer_.by(run.clock.steady());
    }
    front_ends_.on_deadline([this](SteadyTime deadline) { front_ends_timer_.by(deadline); });
    refusals_.on_deadline([this](SteadyTime deadline) { refusals_timer_.by(deadline); });
    front_ends_.adopt(away);
    if (webhooks_) {
        webhooks_->start();
    }
}

Result<> ClientSide::listen(HandOver& left) {
    net::ServerCarried carried{.listener = left.listener.release(),
                               .owns_file = left.owns_socket_file};
    for (ClientHandOver& client : left.clients) {
        carried.clients.push_back({client.fd.release(), std::move(client.session)});
    }
    return server_.adopt(std::move(carried));
}

void ClientSide::close() {
    if (tokens_) {
        token_state_->stop();
        tokens_->stop();
    }
    engine_timer_.stop();
    front_ends_timer_.stop();
    front_ends_.close();
    refusals_timer_.stop();
    refusals_.write();
    webhooks_timer_.stop();
    if (webhooks_) {
        webhooks_->close();
    }
}

void ClientSide::leave(HandOver& left) {
    net::ServerCarried carried = server_.leave();
    left.listener = serial::OwnedFd(carried.listener);
    left.owns_socket_file = carried.owns_file;
    for (net::ServerCarried::Client& client : carried.clients) {
        left.clients.push_back({serial::OwnedFd(client.fd), std::move(client.session)});
    }
}

}  // namespace smsrack::host
