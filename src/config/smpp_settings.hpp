/// [smpp]: the SMPP server of smsrack-gate.
#pragma once

#include "src/config/field.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace smsrack::config {

struct SmppSettings {
    std::vector<std::string> listen{"127.0.0.1:2775"};
    std::vector<std::string> listen_tls = {};
    std::string tls_cert = {};
    std::string tls_key = {};
    std::string accounts = "/etc/smsrack/smpp-accounts";
    std::chrono::seconds enquire{30};
    std::chrono::seconds response{60};
    std::int64_t sessions = 1'000;
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("listen", &SmppSettings::listen, form(Form::listen_address).or_one(),
              "addresses without TLS; [] for none"),
        field("listen_tls", &SmppSettings::listen_tls, form(Form::listen_address).or_one(),
              "addresses with TLS"),
        field("tls_cert", &SmppSettings::tls_cert, form(Form::absolute_path),
              "certificate and its chain, PEM; without it that of [http]"),
        field("tls_key", &SmppSettings::tls_key, form(Form::absolute_path), "its private key"),
        field("accounts", &SmppSettings::accounts, form(Form::absolute_path),
              "who may bind: `smsrack smpp`"),
        field("enquire_s", &SmppSettings::enquire, range(5, 3'600),
              "of silence, until a client is asked whether it is there"),
        field("response_s", &SmppSettings::response, range(5, 3'600),
              "for a client to acknowledge what it is given"),
        field("sessions", &SmppSettings::sessions, range(1, 10'000), "of all accounts together"),
    };
};

}  // namespace smsrack::config
