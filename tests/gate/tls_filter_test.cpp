#include "firmware-host/gate/tls_context.hpp"
#include "src/access/certificate.hpp"
#include "src/base/time_text.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <openssl/ssl.h>
#include <string>
#include <string_view>

using namespace smsrack;
using namespace smsrack::gate;
using Came = net::OctetFilter::Came;

namespace {

struct Files {
    test::TempDir folder;
    std::string certificate = (folder.path() / "tls.pem").string();
    std::string key = (folder.path() / "tls.key").string();

    Files() {
        const auto made = access::self_signed({"box.lan"}, *time_of("2026-11-26T12:00:00Z"));
        std::ofstream(certificate) << made.value().certificate;
        std::ofstream(key) << made.value().key;
    }
};

/// A client of OpenSSL between two buffers.
class TlsClient {
public:
    explicit TlsClient(int version = 0, std::string_view protocol = {})
        : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free),
          ssl_(SSL_new(context_.get()), SSL_free) {
        SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
        SSL_set_connect_state(ssl_.get());
        if (version != 0) {
            SSL_set_security_level(ssl_.get(), 0);
            SSL_set_min_proto_version(ssl_.get(), version);
            SSL_set_max_proto_version(ssl_.get(), version);
        }
        if (!protocol.empty()) {
            const std::string list = static_cast<char>(protocol.size()) + std::string(protocol);
            SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(list.data()),
                                static_cast<unsigned>(list.size()));
        }
    }

    /// What it says next.
    std::string says() {
        (void)SSL_do_handshake(ssl_.get());
        char* text = nullptr;
        BIO* const out = SSL_get_wbio(ssl_.get());
        const long size = BIO_get_mem_data(out, &text);
        std::string said(text, static_cast<std::size_t>(size));
        (void)BIO_reset(out);
        return said;
    }
    void hears(std::string_view octets) {
        BIO_write(SSL_get_rbio(ssl_.get()), octets.data(), static_cast<int>(octets.size()));
    }
    void write(std::string_view text) {
        SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size()));
    }
    std::string read() {
        std::string text(64UL * 1024, '\0');
        const int count = SSL_read(ssl_.get(), text.data(), static_cast<int>(text.size()));
        text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
        return text;
    }
    [[nodiscard]] SSL* ssl() const { return ssl_.get(); }

private:
    std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
    std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
};

struct Pair {
    explicit Pair(const TlsContext& context, int version = 0, std::string_view protocol = {})
        : client(version, protocol), server(context.new_filter([this](bool well) {
              ++told;
              agreed = well;
          })) {}

    /// Until neither has anything to say; as octets that come in pieces of this size.
    Came talk(std::size_t piece = 1UL << 20) {
        for (std::string said = client.says(); came == Came::more; said = client.says()) {
            if (said.empty() && server->output().empty()) {
                break;
            }
            while (!said.empty() && came == Came::more) {
                came = server->receive(said.substr(0, piece), plain);
                said.erase(0, piece);
            }
            const std::string answer(server->output());
            server->written(answer.size());
            client.hears(answer);
        }
        return came;
    }

    TlsClient client;
    int told = 0;
    bool agreed = false;
    std::string plain;
    Came came = Came::more;
    net::OctetFilterPtr server;
};

}  // namespace

TEST_CASE("TlsFilter: TLS 1.2 and 1.3 agree, however the octets are cut; older ones don't") {
    const Files files;
    const auto context = TlsContext::load(files.certificate, files.key);
    REQUIRE(context);
    struct Case {
        int version;
        bool agrees;
    };
    for (const Case& it : {Case{TLS1_3_VERSION, true}, Case{TLS1_2_VERSION, true},
                           Case{TLS1_1_VERSION, false}, Case{TLS1_VERSION, false}}) {
        for (const std::size_t piece : {std::size_t{1}, std::size_t{100'000}}) {
            CAPTURE(it.version);
            CAPTURE(piece);
            Pair pair(*context, it.version);
            CHECK((pair.talk(piece) == Came::more) == it.agrees);
            CHECK(pair.server->is_ready() == it.agrees);
            CHECK(pair.agreed == it.agrees);
            CHECK(pair.told == 1);
        }
    }
}

TEST_CASE("TlsFilter: octets pass both ways, and each side can say that it ends") {
    const Files files;
    const auto context = TlsContext::load(files.certificate, files.key);
    Pair pair(context.value());
    REQUIRE(pair.talk() == Came::more);
    pair.client.write("GET / HTTP/1.1\r\n");
    (void)pair.talk();
    CHECK(pair.plain == "GET / HTTP/1.1\r\n");
    pair.server->send(std::string(16'384, 'x'));
    pair.client.hears(pair.server->output());
    CHECK(pair.client.read() == std::string(16'384, 'x'));
    pair.server->written(pair.server->output().size());
    CHECK(pair.server->output().empty());
    pair.server->send_end();
    CHECK_FALSE(pair.server->output().empty());
    (void)SSL_shutdown(pair.client.ssl());
    CHECK(pair.talk() == Came::end);
}

TEST_CASE("TlsFilter: a client that asks for another protocol is refused, with the alert for it") {
    const Files files;
    const auto context = TlsContext::load(files.certificate, files.key);
    Pair ours(context.value(), 0, "http/1.1");
    CHECK(ours.talk() == Came::more);
    Pair other(context.value(), 0, "h2");
    CHECK(other.talk() == Came::broken);
    CHECK(other.told == 1);
    CHECK_FALSE(other.agreed);
}

TEST_CASE("TlsFilter: what is no TLS breaks the connection") {
    const Files files;
    const auto context = TlsContext::load(files.certificate, files.key);
    Pair pair(context.value());
    CHECK(pair.server->receive("GET / HTTP/1.1\r\nHost: box\r\n\r\n", pair.plain) == Came::broken);
    CHECK(pair.plain.empty());
    Pair later(context.value());
    REQUIRE(later.talk() == Came::more);
    CHECK(later.server->receive("GET / HTTP/1.1\r\n", later.plain) == Came::broken);
}

TEST_CASE("TlsFilter: a connection that ends before both sides agree has failed") {
    const Files files;
    const auto context = TlsContext::load(files.certificate, files.key);
    REQUIRE(context);
    int failed = 0;
    {
        const auto filter = context->new_filter([&failed](bool well) { failed += well ? 0 : 1; });
        CHECK(failed == 0);
    }
    CHECK(failed == 1);
}

TEST_CASE("TlsFilter: a client can't negotiate again") {
    const Files files;
    const auto context = TlsContext::load(files.certificate, files.key);
    Pair pair(context.value(), TLS1_2_VERSION);
    REQUIRE(pair.talk() == Came::more);
    (void)SSL_renegotiate(pair.client.ssl());
    (void)pair.talk();
    CHECK(SSL_renegotiate_pending(pair.client.ssl()) == 1);
}

TEST_CASE("TlsContext: files that don't fit are refused, and which one is said") {
    const Files files;
    const Files others;
    struct Case {
        std::string certificate;
        std::string key;
        std::string named;
    };
    for (const Case& it : {Case{"/nonexistent/c", files.key, "/nonexistent/c: "},
                           Case{files.certificate, "/nonexistent/k", "/nonexistent/k: "},
                           Case{files.key, files.key, files.key + ": "},
                           Case{files.certificate, files.certificate, files.certificate + ": "},
                           Case{files.certificate, others.key, others.key + ": "}}) {
        CAPTURE(it.named);
        const auto refused = TlsContext::load(it.certificate, it.key);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::bad_config);
        CHECK(refused.error().context.starts_with(it.named));
        CHECK(refused.error().context.contains("smsrack tls new"));
    }
}
