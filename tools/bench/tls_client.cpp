#include "tools/bench/tls_client.hpp"

#include "src/wire/response_parser.hpp"
#include "tools/client/http_client.hpp"

#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace smsrack::bench {

Result<TlsClient> TlsClient::over_tls(std::uint16_t port,
                                      const std::filesystem::path& certificate) {
    client::UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!fd ||
        ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        return fail(Errc::no_device, "the gate does not listen", errno);
    }
    const int on = 1;
    (void)::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    Context context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
    if (!context ||
        SSL_CTX_load_verify_locations(context.get(), certificate.c_str(), nullptr) != 1) {
        return fail(Errc::internal, "OpenSSL does not take the certificate");
    }
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    Session session(SSL_new(context.get()), SSL_free);
    if (!session || SSL_set_fd(session.get(), fd.get()) != 1 || SSL_connect(session.get()) != 1) {
        return fail(Errc::protocol, "no TLS handshake with the gate");
    }
    return TlsClient(std::move(fd), std::move(context), std::move(session));
}

Result<TlsClient> TlsClient::over_socket(const std::filesystem::path& socket) {
    auto fd = client::connect_unix(socket);
    if (!fd) {
        return std::unexpected(std::move(fd.error()));
    }
    return TlsClient(*std::move(fd), Context(nullptr, SSL_CTX_free), Session(nullptr, SSL_free));
}

Result<TlsClient::Reply> TlsClient::call(std::string_view request) {
    if (auto written = write(request); !written) {
        return std::unexpected(std::move(written.error()));
    }
    Reply reply;
    wire::ResponseParser parser;
    while (!parser.complete()) {
        auto octets = read();
        if (!octets) {
            return std::unexpected(std::move(octets.error()));
        }
        const auto fed = parser.feed(
            *octets, [&](const wire::ReplyHead&, std::string_view piece) { reply.body += piece; });
        if (!fed) {
            return std::unexpected(fed.error());
        }
    }
    reply.status = parser.head().status;
    return reply;
}

Result<> TlsClient::write(std::string_view octets) {
    while (!octets.empty()) {
        const ssize_t count =
            session_ ? SSL_write(session_.get(), octets.data(), static_cast<int>(octets.size()))
                     : ::write(fd_.get(), octets.data(), octets.size());
        if (count <= 0) {
            return fail(Errc::closed, "the connection has ended");
        }
        octets.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

Result<std::string_view> TlsClient::read() {
    const ssize_t count =
        session_ ? SSL_read(session_.get(), memory_.data(), static_cast<int>(memory_.size()))
                 : ::read(fd_.get(), memory_.data(), memory_.size());
    if (count <= 0) {
        return fail(Errc::closed, "the connection has ended");
    }
    return std::string_view(memory_).substr(0, static_cast<std::size_t>(count));
}

}  // namespace smsrack::bench
