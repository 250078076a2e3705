#include "firmware-host/gate/smpp/smpp_server.hpp"

#include "firmware-host/gate/smpp/smpp_report.hpp"
#include "src/config/ip_address.hpp"
#include "src/wire/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::chrono::seconds rested_again{10};
constexpr std::chrono::seconds reported_again{2};

bool may_bind(const smpp::Account& account, smpp::Command kind) {
    return kind == smpp::Command::bind_transmitter ? account.transmits
           : kind == smpp::Command::bind_receiver  ? account.receives
                                                   : account.transceives;
}

bool may_come_from(const smpp::Account& account, const std::string& address) {
    if (account.from.empty()) {
        return true;
    }
    const auto ip = config::ip_address_of(address);
    return ip && std::ranges::any_of(account.from, [&](const config::IpNetwork& network) {
               return network.contains(*ip);
           });
}

}  // namespace

SmppServer::SmppServer(config::SmppSettings settings, const Parts& parts)
    : settings_(std::move(settings)),
      parts_(parts),
      times_{.enquire = settings_.enquire, .response = settings_.response},
      accounts_(settings_.accounts, parts.link.loop, parts.log, [this] { accounts_changed(); }),
      passwords_(parts.link.loop) {}

SmppServer::~SmppServer() {
    listeners_.clear();
    watches_.clear();
    timer_.reset();
    while (!connections_.empty()) {
        const ConnectionPtr connection = connections_.begin()->second;
        connection->close();
    }
    // What they wait for would call them, and they would keep it.
    for (const auto& [name, desk] : desks_) {
        desk->give_up();
    }
}

Result<> SmppServer::start() {
    if (auto certificate = read_certificate(); !certificate) {
        return certificate;
    }
    if (auto plain = listen(settings_.listen, false); !plain) {
        return plain;
    }
    if (auto tls = listen(settings_.listen_tls, true); !tls) {
        return tls;
    }
    watches_.push_back(parts_.link.loop.before_wait([this] { flush(); }));
    watches_.push_back(parts_.link.loop.every(rested_again, [this] { rest(); }));
    watches_.push_back(parts_.link.loop.every(reported_again, [this] { report(); }));
    report();
    return {};
}

Result<> SmppServer::read_certificate() {
    if (settings_.listen_tls.empty()) {
        return {};
    }
    auto context = TlsContext::load(settings_.tls_cert, settings_.tls_key);
    if (!context) {
        return std::unexpected(std::move(context.error()));
    }
    tls_ = *std::move(context);
    return {};
}

void SmppServer::read_again() {
    if (const auto read = read_certificate(); !read) {
        parts_.log.error("certificate_unusable", {{"detail", read.error().context},
                                                  {"advice", "the one before is used on"}});
    }
    accounts_.read();
    accounts_changed();
}

Result<> SmppServer::listen(const std::vector<std::string>& places, bool with_tls) {
    for (const std::string& place : places) {
        auto listener =
            net::TcpListener::at(config::listen_address_of(place).value(), parts_.link.loop,
                                 [this, with_tls](uv_stream_s& waits) { accept(waits, with_tls); });
        if (!listener) {
            return std::unexpected(std::move(listener.error()));
        }
        listeners_.push_back(*std::move(listener));
        const auto address = config::listen_address_of(listeners_.back()->place());
        if (!with_tls && !(address && address->address.is_loopback())) {
            parts_.log.warn("smpp_without_tls",
                            {{"address", listeners_.back()->place()},
                             {"advice",
                              "passwords and texts go over the network in clear; "
                              "listen_tls encrypts them"}});
        }
        parts_.log.info("smpp_listening", {{"address", listeners_.back()->place()},
                                           {"tls", with_tls ? "yes" : "no"}});
    }
    return {};
}

bool SmppServer::has_place(const net::TcpPeer& peer) const {
    const auto network = of_networks_.find(parts_.addresses.network_of(peer.address()));
    return strangers_ < strangers_max && connections_.size() < sessions_max() + strangers_max &&
           (network == of_networks_.end() || network->second < strangers_of_network);
}

void SmppServer::accept(uv_stream_s& waits, bool with_tls) {
    auto filter = with_tls ? tls_->new_filter([&metrics = parts_.link.metrics](bool well) {
        metrics.handshake(well);
    })
                           : nullptr;
    auto peer = net::TcpPeer::accept(parts_.link.loop, waits, std::move(filter), read_memory_);
    if (peer == nullptr || !has_place(*peer)) {
        parts_.log.warn("smpp_connection_refused", {{"why", "too_many_connections"}});
        return;
    }
    ++strangers_;
    ++of_networks_[parts_.addresses.network_of(peer->address())];
    const auto connection =
        std::make_shared<SmppConnection>(static_cast<SmppConnectionOwner&>(*this),
                                         parts_.link.clock, times_, std::move(peer), with_tls);
    connections_.emplace(connection.get(), connection);
    connection->start();
}

/// Empty: none.
std::string_view SmppServer::fault_of(const SmppConnection& connection,
                                      const smpp::Account* account, smpp::Command kind) const {
    return account == nullptr                                   ? "no_such_account"
           : !may_bind(*account, kind)                          ? "kind_of_bind"
           : account->needs_tls && !connection.has_tls()        ? "needs_tls"
           : !may_come_from(*account, connection.address())     ? "address"
           : connections_.size() - strangers_ >= sessions_max() ? "too_many_sessions"
                                                                : "";
}

void SmppServer::bind_asked(const ConnectionPtr& connection, smpp::Command kind,
                            const smpp::Bind& bind) {
    const smpp::Account* const account = accounts_.find(bind.system_id);
    passwords_.check(
        account == nullptr ? std::string() : account->hash, bind.password,
        [weak = std::weak_ptr(connection)] {
            const auto held = weak.lock();
            return held != nullptr && !held->session().is_over();
        },
        [this, weak = std::weak_ptr(connection), kind, name = bind.system_id,
         hash = account == nullptr ? std::string() : account->hash](bool right) {
            const smpp::Account* const now = accounts_.find(name);
            // The file may have another password since, or another account.
            const bool is_same = now == nullptr || now->hash == hash;
            if (const auto held = weak.lock()) {
                judge(held, name, kind, right && is_same);
            }
        });
}

void SmppServer::judge(const ConnectionPtr& connection, const std::string& name, smpp::Command kind,
                       bool right) {
    if (connection->session().is_over()) {
        return;  // gone, or too late
    }
    const smpp::Account* const account = accounts_.find(name);
    if (account != nullptr && !right) {
        return refuse(connection, name, "password");
    }
    if (const std::string_view fault = fault_of(*connection, account, kind); !fault.empty()) {
        return refuse(connection, account == nullptr ? std::string("-") : name, fault);
    }
    const auto desk = desk_of(*account);
    if (!desk->join(connection)) {
        return refuse(connection, name, "too_many_sessions_of_account");
    }
    --strangers_;
    if (auto network = of_networks_.find(parts_.addresses.network_of(connection->address()));
        --network->second == 0) {
        of_networks_.erase(network);
    }
    connection->join(desk, account->window);
    parts_.log.info("smpp_bound", {{"account", name}, {"as", smpp::command_name(kind)}});
}

/// All causes have the same answer; the log knows which it was.
void SmppServer::refuse(const ConnectionPtr& connection, const std::string& name,
                        std::string_view why) {
    parts_.log.warn("smpp_bind_refused", {{"account", name}, {"why", why}});
    connection->refuse();
}

std::shared_ptr<AccountDesk> SmppServer::desk_of(const smpp::Account& account) {
    auto& desk = desks_[account.name];
    if (desk == nullptr) {
        desk = std::make_shared<AccountDesk>(
            AccountDesk::Parts{.link = parts_.link,
                               .log = parts_.log,
                               .random = parts_.random,
                               .presence = presence_,
                               .held = held_,
                               .delivery_room = delivery_room_,
                               .changed = [this](const auto& changed) { want_flush(changed); }},
            account);
    }
    return desk;
}

/// An account that is there no more, or has another password, loses its sessions.
void SmppServer::accounts_changed() {
    for (const auto& [name, desk] : desks_) {
        const smpp::Account* const account = accounts_.find(name);
        const bool is_other = account == nullptr || account->hash != desk->account().hash;
        if (account != nullptr) {
            desk->set(*account);
        }
        if (is_other) {
            (void)unbind(name);
        }
    }
}

std::size_t SmppServer::unbind(std::string_view account) {
    const auto desk = desks_.find(account);
    if (desk == desks_.end()) {
        return 0;
    }
    const auto sessions = desk->second->sessions();
    for (const ConnectionPtr& session : sessions) {
        session->unbind();
    }
    return sessions.size();
}

void SmppServer::needs_flush(const ConnectionPtr& connection) {
    to_flush_.push_back(connection);
}

void SmppServer::gone(SmppConnection& connection) {
    if (connection.desk() == nullptr) {
        --strangers_;
        if (auto network = of_networks_.find(parts_.addresses.network_of(connection.address()));
            --network->second == 0) {
            of_networks_.erase(network);
        }
    }
    connections_.erase(&connection);
    end_if_drained();
}

/// Answers leave before the desks deliver the receipts that waited for them: those may go to other sessions, and a receipt
/// never comes before its submit_sm_resp.
void SmppServer::flush() {
    flush_connections();
    for (const auto& desk : std::exchange(desks_to_flush_, {})) {
        desk->flush_wanted = false;
        desk->flush();
        arm(desk->deadline());
    }
    flush_connections();
}

void SmppServer::flush_connections() {
    for (const ConnectionPtr& connection : std::exchange(to_flush_, {})) {
        connection->flush();
        arm(connection->deadline());
    }
}

/// Too early is harmless: step() looks at all.
void SmppServer::arm(SteadyTime deadline) {
    if (deadline >= armed_for_) {
        return;
    }
    armed_for_ = deadline;
    const auto wait =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - parts_.link.clock.steady());
    timer_ =
        parts_.link.loop.after(std::max(wait, std::chrono::milliseconds(0)), [this] { step(); });
}

void SmppServer::step() {
    armed_for_ = never;
    const SteadyTime now = parts_.link.clock.steady();
    std::vector<ConnectionPtr> due;
    for (const auto& [key, connection] : connections_) {
        if (connection->deadline() <= now) {
            due.push_back(connection);
        } else {
            arm(connection->deadline());
        }
    }
    for (const ConnectionPtr& connection : due) {
        connection->step(now);
    }
    // What is due of a desk leaves with flush(), after the answers.
    for (const auto& [name, desk] : desks_) {
        want_flush(desk);
    }
}

void SmppServer::want_flush(const std::shared_ptr<AccountDesk>& desk) {
    if (!std::exchange(desk->flush_wanted, true)) {
        desks_to_flush_.push_back(desk);
    }
}

/// Also when nothing has changed: the service forgets an old report.
void SmppServer::report() {
    if (reporting_ != nullptr) {
        return presence_.note(false, parts_.link.clock.steady());
    }
    if (pieces_.empty()) {
        pieces_ = smpp_report(accounts_.all(), desks_);
        std::ranges::reverse(pieces_);
    }
    reporting_ = ServiceCall::post(parts_.link.upstream, "/v1/smpp/report", pieces_.back(),
                                   [this](const ServiceCall::Reply& reply) { reported(reply); });
}

void SmppServer::reported(const ServiceCall::Reply& reply) {
    reporting_.reset();
    presence_.note(!is_away(reply.status), parts_.link.clock.steady());
    const auto json = reply.status == 200 ? wire::parse_json(reply.body) : Result<wire::Json>();
    if (!json || !json->is_object() || !json->contains("unbind")) {
        pieces_.clear();  // from the begin again, at the next time
        return;
    }
    pieces_.pop_back();
    for (const wire::Json& name : (*json)["unbind"]) {
        if (name.is_string()) {
            (void)unbind(name.get<std::string>());
        }
    }
    if (!pieces_.empty()) {
        report();
    }
}

std::string SmppServer::metrics() const {
    return smpp_metrics(desks_);
}

void SmppServer::rest() {
    const SteadyTime now = parts_.link.clock.steady();
    for (const auto& [name, desk] : desks_) {
        desk->rest(now);
    }
    std::erase_if(desks_, [this](const auto& row) {
        return row.second->is_idle() && accounts_.find(row.first) == nullptr;
    });
}

void SmppServer::drain(std::function<void()> then) {
    drained_ = std::move(then);
    listeners_.clear();
    for (const auto& [key, connection] : connections_) {
        connection->unbind();
    }
    drain_end_ = parts_.link.loop.after(drain_max, [this] {
        while (!connections_.empty()) {
            const ConnectionPtr connection = connections_.begin()->second;
            connection->close();
        }
    });
    constexpr std::chrono::milliseconds looked_again{20};
    watches_.push_back(parts_.link.loop.every(looked_again, [this] { end_if_drained(); }));
}

/// What was taken is acknowledged before the end, so that it does not come again.
void SmppServer::end_if_drained() {
    const bool all_told =
        std::ranges::all_of(desks_, [](const auto& row) { return row.second->is_idle(); });
    if (drained_ && connections_.empty() && all_told) {
        parts_.link.loop.post(Job(std::exchange(drained_, nullptr)));
    }
}

}  // namespace smsrack::gate
