/// Certificate, key and rules of TLS for the connections of a listener.
///
/// TLS 1.2 and 1.3, ECDHE with AEAD only; no renegotiation, compression or early data; ALPN http/1.1. Keys of session
/// tickets are in memory: a new context has new ones.
/// Threads: loop thread.
/// Errors:  bad_config: a file can't be read or is not what it should be, or key and certificate
///          don't fit; `context` names the file and what to do.
/// Source:  RFC 8446, RFC 5246, RFC 7301
#pragma once

#include "firmware-host/net/octet_filter.hpp"
#include "src/base/result.hpp"

#include <functional>
#include <memory>
#include <string>

struct ssl_ctx_st;  // NOLINT(readability-identifier-naming): OpenSSL's own name

namespace smsrack::gate {

class TlsContext {
public:
    /// All are PEM; the certificate may have its chain behind it. `client_ca`: who signs certificates
    /// of clients, which may show one; empty: they are not asked.
    [[nodiscard]] static Result<TlsContext> load(const std::string& certificate,
                                                 const std::string& key,
                                                 const std::string& client_ca = {});

    /// For a new connection. `agreed` is called once: whether the handshake was well.
    [[nodiscard]] net::OctetFilterPtr new_filter(std::function<void(bool)> agreed) const;

private:
    explicit TlsContext(std::shared_ptr<ssl_ctx_st> context) : context_(std::move(context)) {}

    std::shared_ptr<ssl_ctx_st> context_;
};

}  // namespace smsrack::gate
