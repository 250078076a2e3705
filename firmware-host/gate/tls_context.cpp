#include "firmware-host/gate/tls_context.hpp"

#include "firmware-host/gate/tls_filter.hpp"

#include <array>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string_view>
#include <utility>

namespace smsrack::gate {
namespace {

/// The newest reason that OpenSSL has; the others are forgotten.
std::string reason() {
    const unsigned long error = ERR_peek_last_error();
    ERR_clear_error();
    const char* const text = ERR_reason_error_string(error);
    return text == nullptr ? "not readable" : text;
}

std::unexpected<Error> unusable(const std::string& file, std::string_view what) {
    return fail(Errc::bad_config,
                fmt::format("{}: {} ({}); `smsrack tls new` makes a key and its certificate", file,
                            what, reason()));
}

/// A client that asks for protocols must ask for ours.
int choose_protocol(SSL* /*ssl*/, const unsigned char** chosen, unsigned char* chosen_length,
                    const unsigned char* offered, unsigned offered_length, void* /*nothing*/) {
    static constexpr std::array<unsigned char, 9> ours{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    unsigned char* selected = nullptr;
    const int found = SSL_select_next_proto(&selected, chosen_length, ours.data(), ours.size(),
                                            offered, offered_length);
    *chosen = selected;
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// A client that shows none shows a token. One with a certificate that is not well gets an alert.
Result<> ask_clients(SSL_CTX& context, const std::string& client_ca) {
    STACK_OF(X509_NAME)* const names = SSL_load_client_CA_file(client_ca.c_str());
    if (names == nullptr || SSL_CTX_load_verify_file(&context, client_ca.c_str()) != 1) {
        sk_X509_NAME_pop_free(names, X509_NAME_free);
        return fail(Errc::bad_config,
                    fmt::format("{}: must be the certificates that sign those of clients, in PEM "
                                "({})",
                                client_ca, reason()));
    }
    SSL_CTX_set_client_CA_list(&context, names);
    SSL_CTX_set_verify(&context, SSL_VERIFY_PEER, nullptr);
    // Without it OpenSSL refuses to resume a session whose client has shown a certificate.
    static constexpr std::array<unsigned char, 4> session{'g', 'a', 't', 'e'};
    SSL_CTX_set_session_id_context(&context, session.data(), session.size());
    return {};
}

}  // namespace

Result<TlsContext> TlsContext::load(const std::string& certificate, const std::string& key,
                                    const std::string& client_ca) {
    const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_cipher_list(context.get(), "ECDHE+AESGCM:ECDHE+CHACHA20") != 1) {
        return fail(Errc::internal, "TLS can't be set up: " + reason());
    }
    SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                           SSL_OP_CIPHER_SERVER_PREFERENCE |
                                           SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
    if (SSL_CTX_use_certificate_chain_file(context.get(), certificate.c_str()) != 1) {
        return unusable(certificate, "must be a certificate in PEM");
    }
    if (SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) != 1) {
        return unusable(key,
                        "must be the private key of the certificate, in PEM, without a "
                        "password");
    }
    if (!client_ca.empty()) {
        if (auto asked = ask_clients(*context, client_ca); !asked) {
            return std::unexpected(std::move(asked.error()));
        }
    }
    return TlsContext(context);
}

net::OctetFilterPtr TlsContext::new_filter(std::function<void(bool)> agreed) const {
    return std::make_unique<TlsFilter>(*context_, std::move(agreed));
}

}  // namespace smsrack::gate
