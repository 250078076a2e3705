/// The SMPP server: listeners, connections, and the desks of the accounts.
///
/// Bound:   the sessions that [smpp] allows, and strangers_max connections without a bind, of each network
///          strangers_of_network, so that no network keeps others from binding.
/// Threads: loop thread.
/// Errors:  start(): as TcpListener; bad_config: no certificate.
/// Source:  docs/smpp.md
#pragma once

#include "firmware-host/gate/client_addresses.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/smpp/account_desk.hpp"
#include "firmware-host/gate/smpp/accounts_file.hpp"
#include "firmware-host/gate/smpp/password_check.hpp"
#include "firmware-host/gate/smpp/smpp_connection.hpp"
#include "firmware-host/gate/tls_context.hpp"
#include "firmware-host/net/tcp_listener.hpp"
#include "src/config/smpp_settings.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace smsrack::gate {

class SmppServer final : private SmppConnectionOwner {
public:
    static constexpr std::size_t strangers_max = 256;
    static constexpr std::size_t strangers_of_network = 32;
    static constexpr std::chrono::seconds drain_max{5};

    struct Parts {
        const ServiceLink& link;
        Log& log;
        Random& random;
        const ClientAddresses& addresses;
    };

    /// All in `parts` outlives the server. `settings` has the certificate to use, if there is one.
    SmppServer(config::SmppSettings settings, const Parts& parts);
    ~SmppServer() override;

    [[nodiscard]] Result<> start();
    /// The accounts and the certificate, as they are now.
    void read_again();
    /// No new connection; answers what is in flight, says goodbye, and calls `then`.
    void drain(std::function<void()> then);

    /// Unbinds the sessions of an account; how many there were.
    std::size_t unbind(std::string_view account);

    /// Prometheus text.
    [[nodiscard]] std::string metrics() const;

private:
    using ConnectionPtr = std::shared_ptr<SmppConnection>;

    // -- SmppConnectionOwner
    void bind_asked(const ConnectionPtr& connection, smpp::Command kind,
                    const smpp::Bind& bind) override;
    void needs_flush(const ConnectionPtr& connection) override;
    void gone(SmppConnection& connection) override;

    [[nodiscard]] Result<> read_certificate();
    [[nodiscard]] Result<> listen(const std::vector<std::string>& places, bool with_tls);
    void accept(uv_stream_s& waits, bool with_tls);
    [[nodiscard]] bool has_place(const net::TcpPeer& peer) const;
    [[nodiscard]] std::string_view fault_of(const SmppConnection& connection,
                                            const smpp::Account* account, smpp::Command kind) const;
    void judge(const ConnectionPtr& connection, const std::string& name, smpp::Command kind,
               bool right);
    void refuse(const ConnectionPtr& connection, const std::string& name, std::string_view why);
    [[nodiscard]] std::shared_ptr<AccountDesk> desk_of(const smpp::Account& account);
    [[nodiscard]] std::size_t sessions_max() const {
        return static_cast<std::size_t>(settings_.sessions);
    }
    void accounts_changed();
    void flush();
    void flush_connections();
    void want_flush(const std::shared_ptr<AccountDesk>& desk);
    void arm(SteadyTime deadline);
    void step();
    void rest();
    void report();
    void reported(const ServiceCall::Reply& reply);
    void end_if_drained();

    const config::SmppSettings settings_;
    const Parts parts_;
    const smpp::SessionTimes times_;
    std::optional<TlsContext> tls_;
    AccountsFile accounts_;
    PasswordCheck passwords_;
    std::vector<std::unique_ptr<net::TcpListener>> listeners_;
    std::map<SmppConnection*, ConnectionPtr> connections_;
    DeliveryRoom delivery_room_;  // outlives the desks
    std::map<std::string, std::shared_ptr<AccountDesk>, std::less<>> desks_;
    ServicePresence presence_;
    const SubmitLink::Held held_ = std::make_shared<std::size_t>(0);
    std::size_t strangers_ = 0;                         // of connections_
    std::map<std::uint32_t, std::size_t> of_networks_;  // strangers, those that have some
    std::vector<ConnectionPtr> to_flush_;
    std::vector<std::shared_ptr<AccountDesk>> desks_to_flush_;
    std::vector<std::string> pieces_;         // of a report, not told yet, the next one last
    std::shared_ptr<ServiceCall> reporting_;  // null: none is under way
    SteadyTime armed_for_ = never;
    net::LoopWatchPtr timer_;
    std::vector<net::LoopWatchPtr> watches_;
    std::function<void()> drained_;
    net::LoopWatchPtr drain_end_;
    std::array<char, 64UL * 1024> read_memory_{};
};

}  // namespace smsrack::gate
