/// [http]: what smsrack-gate listens on, and what its callers may do.
#pragma once

#include "src/config/field.hpp"

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

namespace smsrack::config {

struct HttpSettings {
    std::vector<std::string> listen{"127.0.0.1:8775"};
    std::string tls_cert = {};
    std::string tls_key = {};
    std::string client_ca = {};
    std::string tokens = "/etc/smsrack/tokens";
    bool plain = false;
    std::vector<std::string> trusted_proxies = {};
    std::chrono::hours session{12};
    std::vector<std::string> origins = {};
    bool remote_at = false;
    bool log_addresses = false;
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("listen", &HttpSettings::listen, form(Form::listen_address).or_one(),
              "addresses of the HTTP listener; a socket unit's descriptor \"http\" replaces them"),
        field("tls_cert", &HttpSettings::tls_cert, form(Form::absolute_path),
              "certificate and its chain, PEM"),
        field("tls_key", &HttpSettings::tls_key, form(Form::absolute_path), "its private key"),
        field("client_ca", &HttpSettings::client_ca, form(Form::absolute_path),
              "signs certificates of clients, whose common name is the name of their token"),
        field("tokens", &HttpSettings::tokens, form(Form::absolute_path),
              "who may call: `smsrack token`"),
        field("plain", &HttpSettings::plain, form(Form::any),
              "HTTP without TLS on other addresses than loopback: behind a proxy"),
        field("trusted_proxies", &HttpSettings::trusted_proxies, form(Form::ip_address),
              "only these may set X-Forwarded-For"),
        field("session_h", &HttpSettings::session, range(1, 8'760),
              "a login of the dashboard ends when it was unused for so long"),
        field("origins", &HttpSettings::origins, form(Form::any),
              "web sites whose pages may call with a token of their own (CORS)"),
        field("remote_at", &HttpSettings::remote_at, form(Form::any),
              "admin tokens may call at, ussd and upgrade"),
        field("log_addresses", &HttpSettings::log_addresses, form(Form::any),
              "the log of requests has the addresses of clients"),
    };
};

}  // namespace smsrack::config
