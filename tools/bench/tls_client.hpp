/// A blocking client that asks one call after the other on one connection: over TLS, or over a Unix
/// socket, so that both are measured in the same way.
///
/// Threads: one.
/// Errors:  no_device: nothing listens; protocol: no handshake, or no HTTP; closed: the other side
///          has ended the connection.
#pragma once

#include "src/base/result.hpp"
#include "tools/client/unique_fd.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct ssl_ctx_st;  // NOLINT(readability-identifier-naming): OpenSSL's own names
struct ssl_st;      // NOLINT(readability-identifier-naming)

namespace smsrack::bench {

class TlsClient {
public:
    /// To a port of loopback; the server must show this certificate (PEM).
    [[nodiscard]] static Result<TlsClient> over_tls(std::uint16_t port,
                                                    const std::filesystem::path& certificate);
    [[nodiscard]] static Result<TlsClient> over_socket(const std::filesystem::path& socket);

    struct Reply {
        int status = 0;
        std::string body = {};
    };
    /// `request`: as a whole, with its head.
    [[nodiscard]] Result<Reply> call(std::string_view request);

    // -- other protocols
    [[nodiscard]] Result<> write(std::string_view octets);
    /// What has come; valid until the next call.
    [[nodiscard]] Result<std::string_view> read();

private:
    using Context = std::unique_ptr<ssl_ctx_st, void (*)(ssl_ctx_st*)>;
    using Session = std::unique_ptr<ssl_st, void (*)(ssl_st*)>;

    TlsClient(client::UniqueFd fd, Context context, Session session)
        : fd_(std::move(fd)), context_(std::move(context)), session_(std::move(session)) {}

    client::UniqueFd fd_;
    Context context_;  // null: no TLS
    Session session_;  // likewise
    std::string memory_ = std::string(64UL * 1024, '\0');
};

}  // namespace smsrack::bench
