#include "firmware-host/gate/gate.hpp"

#include "firmware-host/gate/session/secret.hpp"
#include "firmware-host/setup/text_file.hpp"
#include "src/access/revoked_tokens.hpp"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

// Keys of session tickets go with their context.
constexpr std::chrono::hours certificate_again{12};
constexpr std::chrono::minutes swept_again{1};  // logins that were unused for too long
constexpr net::PlaceLimits places{.connections = 1'024, .per_account = 64, .kept = 0};
constexpr std::size_t memory_bytes = 32UL << 20U;  // of requests and unread answers of all clients

}  // namespace

Gate::Gate(const config::Settings& settings, GateRun run, LimitedLog& log, const Clock& clock)
    : serves_http_(settings.http.has_value()),
      http_(settings.http.value_or(config::HttpSettings{})),
      first_webhooks_(settings.webhooks),
      run_(std::move(run)),
      log_(log),
      clock_(clock),
      addresses_(http_.trusted_proxies, fmt::format("{:x}{:x}", random_.next(), random_.next())),
      after_answers_(run_.before_wait ? loop_.before_wait(run_.before_wait) : nullptr),
      upstream_(loop_, settings.service.socket),
      link_{upstream_, loop_, clock, metrics_},
      answers_{log, clock, metrics_, !http_.tls_cert.empty(), http_.log_addresses, http_.origins},
      wrong_(answers_, addresses_),
      logins_({.answers = answers_,
               .tokens = read_tokens(settings.service.socket),
               .wrong = wrong_,
               .cookie = cookie(),
               .idle_max = http_.session,
               .is_own = run_.is_own,
               .new_secret = new_secret,
               .file = run_.logins_file}),
      handler_({link_, answers_, tokens(), addresses_, wrong_, logins_, random_,
                [this] { return server_.connections(); },
                [this] { return smpp_ == nullptr ? std::string() : smpp_->metrics(); },
                run_.is_own}),
      server_(server_settings(), {loop_, handler_, stats_, clock, log}),
      smpp_(smpp_of(settings)),
      webhooks_({upstream_, loop_, clock, metrics_, log}, fmt::format("{:016x}", random_.next()),
                [this] { return read_webhooks(); }) {}

/// Without a certificate of its own it has that of [http].
std::unique_ptr<SmppServer> Gate::smpp_of(const config::Settings& settings) {
    if (!settings.smpp || run_.is_own) {
        return nullptr;
    }
    config::SmppSettings smpp = *settings.smpp;
    if (smpp.tls_cert.empty()) {
        smpp.tls_cert = http_.tls_cert;
        smpp.tls_key = http_.tls_key;
    }
    return std::make_unique<SmppServer>(std::move(smpp),
                                        SmppServer::Parts{link_, log_, random_, addresses_});
}

const access::TokenBook& Gate::read_tokens(const std::string& socket) {
    if (!run_.is_own && serves_http_) {
        tokens_.emplace(http_.tokens, host::TokensFile::Parts{loop_, clock_, log_},
                        [this] { sweep(); });
        const auto folder = std::filesystem::path(socket).parent_path();
        tokens_->watch_revoked((folder / access::revoked_name).string());
    }
    return tokens();
}

SessionCookie Gate::cookie() {
    return run_.is_own ? SessionCookie::of_own(random_.below(1UL << 32U))
                       : SessionCookie::over(!http_.tls_cert.empty());
}

void Gate::sweep() {
    logins_.sweep();
    handler_.end_streams();
}

net::HttpServerSettings Gate::server_settings() {
    net::HttpServerSettings settings{.places = places, .memory_bytes = memory_bytes};
    settings.limits.in_flight_max = 1;  // so there are never more calls than connections
    settings.number_of = [this](const std::string& address) {
        return addresses_.network_of(address);
    };
    // A proxy has many clients, whose limits count by the address that it tells.
    settings.is_privileged = [this](const wire::Peer& peer) {
        return addresses_.is_trusted(peer.address);
    };
    if (!http_.tls_cert.empty()) {
        settings.new_filter = [this] {
            return tls_->new_filter([this](bool well) { metrics_.handshake(well); });
        };
    }
    return settings;
}

Result<> Gate::start(host::NamedFds given) {
    if (auto certificate = read_certificate(); !certificate) {
        return certificate;
    }
    if (auto listening = run_.is_own    ? listen_own()
                         : serves_http_ ? listen(std::move(given))
                                        : Result<>();
        !listening) {
        return listening;
    }
    smpp_drained_ = smpp_ == nullptr;
    if (smpp_ != nullptr) {
        if (auto smpp = smpp_->start(); !smpp) {
            return smpp;
        }
    }
    webhooks_.start(first_webhooks_);
    for (const int signal_number : {SIGTERM, SIGINT}) {
        watches_.push_back(loop_.on_signal(signal_number, [this] { stop(); }));
    }
    watches_.push_back(loop_.on_signal(SIGHUP, [this] {
        read_certificate_again();
        if (tokens_) {
            tokens_->read_again();
        }
        if (smpp_ != nullptr) {
            smpp_->read_again();
        }
        webhooks_.reload();
    }));
    watches_.push_back(loop_.every(swept_again, [this] {
        sweep();
        logins_.save();
    }));
    watches_.push_back(loop_.every(certificate_again, [this] {
        read_certificate_again();
        if (smpp_ != nullptr) {
            smpp_->read_again();
        }
    }));
    watches_.push_back(loop_.every(LimitedLog::window, [this] { log_.say_left_out(); }));
    systemd_.ready();
    return {};
}

Result<> Gate::listen(host::NamedFds given) {
    for (auto& [name, fd] : given) {
        if (name != "http") {
            continue;
        }
        auto listener = net::TcpListener::of(fd.release(), loop_, server_.accept());
        if (!listener) {
            return std::unexpected(std::move(listener.error()));
        }
        listeners_.push_back(*std::move(listener));
    }
    if (listeners_.empty()) {
        for (const std::string& text : http_.listen) {
            auto listener = net::TcpListener::at(config::listen_address_of(text).value(), loop_,
                                                 server_.accept());
            if (!listener) {
                return std::unexpected(std::move(listener.error()));
            }
            listeners_.push_back(*std::move(listener));
        }
    }
    for (const auto& listener : listeners_) {
        // The check of the configuration has not seen what systemd gives.
        const auto address = config::listen_address_of(listener->place());
        if (!tls_ && !http_.plain && !(address && address->address.is_loopback())) {
            return fail(Errc::bad_config,
                        listener->place() +
                            ": without TLS only a loopback address is listened to; `smsrack tls "
                            "new` makes a certificate for tls_cert and tls_key, and plain = true "
                            "in [http] is for a proxy in front that has one");
        }
        log_.info("listening", {{"address", listener->place()}, {"tls", tls_ ? "yes" : "no"}});
    }
    return {};
}

Result<> Gate::listen_own() {
    auto listener = net::TcpListener::at(
        {.address = *config::ip_address_of("127.0.0.1"), .port = 0}, loop_, server_.accept());
    if (!listener) {
        return std::unexpected(std::move(listener.error()));
    }
    listeners_.push_back(*std::move(listener));
    codes_.emplace(
        loop_, listeners_.front()->place(), [this] { return logins_.new_code(); },
        [this] { stop(); });
    return {};
}

Result<> Gate::read_certificate() {
    if (http_.tls_cert.empty()) {
        return {};
    }
    auto context = TlsContext::load(http_.tls_cert, http_.tls_key, http_.client_ca);
    if (!context) {
        return std::unexpected(std::move(context.error()));
    }
    tls_ = *std::move(context);
    return {};
}

void Gate::read_certificate_again() {
    if (!tls_) {
        return;
    }
    if (const auto read = read_certificate(); !read) {
        log_.error("certificate_unusable",
                   {{"detail", read.error().context}, {"advice", "the one before is used on"}});
    } else {
        log_.info("certificate_read");
    }
}

void Gate::stop() {
    if (std::exchange(stopping_, true)) {
        return loop_.stop();
    }
    systemd_.stopping();
    log_.info("draining");
    listeners_.clear();
    watches_.push_back(loop_.after(drain_max, [this] { loop_.stop(); }));
    watches_.push_back(loop_.after(webhook_drain_max, [this] { drained(webhooks_drained_); }));
    if (smpp_ != nullptr) {
        smpp_->drain([this] { drained(smpp_drained_); });
    }
    webhooks_.drain([this] { drained(webhooks_drained_); });
    server_.drain([this] { drained(server_drained_); });
}

void Gate::drained(bool& part) {
    part = true;
    if (server_drained_ && smpp_drained_ && webhooks_drained_) {
        loop_.stop();
    }
}

/// nullopt: those that were read before count on.
std::optional<WebhookList> Gate::read_webhooks() {
    if (run_.is_own) {
        return WebhookList{};
    }
    const auto unusable = [this](const std::string& why) {
        log_.error("config_unusable",
                   {{"detail", why}, {"advice", "the webhooks that were read before stay in use"}});
        return std::nullopt;
    };
    const auto text = host::read_text_file(run_.config_file);
    if (!text) {
        return unusable(text.error().context);
    }
    const auto settings = config::load_settings(*text, run_.config_file);
    if (!settings) {
        return unusable(settings.error().line_of(settings.error().problems.front()));
    }
    return settings->webhooks;
}

void Gate::run() {
    loop_.run();
    watches_.clear();
    listeners_.clear();
    smpp_.reset();
    codes_.reset();
    logins_.save();
    if (tokens_) {
        tokens_->stop();
    }
}

}  // namespace smsrack::gate
