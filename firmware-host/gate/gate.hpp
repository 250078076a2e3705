/// The gate as a whole: listeners, TLS, tokens, webhooks, and the way to the service.
///
/// SIGHUP reads certificate, key and webhooks again; connections continue with the key that they began with. SIGTERM ends it when
/// the answers in flight have left, or after drain_max.
/// Threads: the main thread.
/// Errors:  bad_config, busy, not_allowed, internal: what start() could not make, for one line on standard error.
#pragma once

#include "firmware-host/gate/client_addresses.hpp"
#include "firmware-host/gate/gate_handler.hpp"
#include "firmware-host/gate/session/code_printer.hpp"
#include "firmware-host/gate/session/logins.hpp"
#include "firmware-host/gate/smpp/smpp_server.hpp"
#include "firmware-host/gate/tls_context.hpp"
#include "firmware-host/gate/webhook/webhooks.hpp"
#include "firmware-host/gate/wrong_callers.hpp"
#include "firmware-host/net/http_server.hpp"
#include "firmware-host/net/loop.hpp"
#include "firmware-host/net/tcp_listener.hpp"
#include "firmware-host/process/listen_fds.hpp"
#include "firmware-host/process/system_random.hpp"
#include "firmware-host/process/systemd_notify.hpp"
#include "firmware-host/tokens/tokens_file.hpp"
#include "src/access/token_book.hpp"
#include "src/base/clock.hpp"
#include "src/base/limited_log.hpp"
#include "src/base/result.hpp"
#include "src/config/settings.hpp"
#include "src/stats/stats.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::gate {

/// How a gate runs, besides what the configuration says.
struct GateRun {
    std::string config_file = {};  ///< that the settings are from; read again for its webhooks
    std::string logins_file = {};  ///< keeps logins of browsers over a restart; empty: none does
    /// For the account that started it: it calls the service as that account, listens on a loopback port that is free, and a
    /// browser logs in by a code. Each line on standard input gets an address with a code on standard output; the
    /// end of the input ends the gate.
    bool is_own = false;
    /// At the end of each turn of its loop, when the answers have left; empty: nothing.
    std::function<void()> before_wait = {};
};

class Gate {
public:
    static constexpr std::chrono::seconds drain_max{30};

    /// Bound for what is in flight to receivers of webhooks: what is cut is sent again later.
    static constexpr std::chrono::seconds webhook_drain_max{5};

    /// Without [http] in `settings` it listens nowhere. All outlives the object.
    Gate(const config::Settings& settings, GateRun run, LimitedLog& log, const Clock& clock);

    /// Listens. `given` by systemd: those named "http" replace the addresses of the configuration.
    [[nodiscard]] Result<> start(host::NamedFds given);
    /// Until SIGTERM or SIGINT.
    void run();

private:
    [[nodiscard]] Result<> read_certificate();
    [[nodiscard]] Result<> listen(host::NamedFds given);
    [[nodiscard]] Result<> listen_own();
    void read_certificate_again();
    /// `socket`: of the service, next to which it says which tokens were revoked.
    [[nodiscard]] const access::TokenBook& read_tokens(const std::string& socket);
    [[nodiscard]] const access::TokenBook& tokens() const {
        return tokens_ ? tokens_->book() : no_tokens_;
    }
    [[nodiscard]] std::unique_ptr<SmppServer> smpp_of(const config::Settings& settings);
    [[nodiscard]] SessionCookie cookie();
    void sweep();
    [[nodiscard]] std::optional<WebhookList> read_webhooks();
    void stop();
    void drained(bool& part);
    [[nodiscard]] net::HttpServerSettings server_settings();

    const bool serves_http_;
    const config::HttpSettings http_;
    const WebhookList first_webhooks_;
    const GateRun run_;
    LimitedLog& log_;
    const Clock& clock_;
    host::SystemRandom random_;
    const ClientAddresses addresses_;
    stats::Stats stats_;
    GateMetrics metrics_;  // filters that end with the loop still count
    net::Loop loop_;
    const net::LoopWatchPtr after_answers_;  // older than what answers, so it runs last
    host::SystemdNotify systemd_ = host::systemd_of_environment();
    std::optional<TlsContext> tls_;           // nullopt: HTTP without TLS
    std::optional<host::TokensFile> tokens_;  // nullopt: is_own, or without [http]
    const access::TokenBook no_tokens_;
    Upstream upstream_;
    const ServiceLink link_;
    const AnswerParts answers_;
    WrongCallers wrong_;
    Logins logins_;
    GateHandler handler_;
    net::HttpServer server_;
    std::vector<std::unique_ptr<net::TcpListener>> listeners_;
    std::optional<CodePrinter> codes_;
    std::unique_ptr<SmppServer> smpp_;  // null: without [smpp]
    Webhooks webhooks_;
    std::vector<net::LoopWatchPtr> watches_;
    bool stopping_ = false;
    bool server_drained_ = false;
    bool smpp_drained_ = false;
    bool webhooks_drained_ = false;
};

}  // namespace smsrack::gate
