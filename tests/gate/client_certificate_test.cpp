// Clients that show a certificate: whose name it has, and which are refused.
#include "firmware-host/gate/tls_context.hpp"
#include "src/access/certificate.hpp"
#include "src/base/time_text.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::gate;
using Came = net::OctetFilter::Came;

namespace {

constexpr long an_hour = 3'600;

/// A certificate that signs itself, with these common names.
struct ClientCertificate {
    explicit ClientCertificate(const std::vector<std::string>& names, long begins = -an_hour,
                               long ends = an_hour)
        : key(EVP_EC_gen("P-256"), EVP_PKEY_free), certificate(X509_new(), X509_free) {
        X509_set_version(certificate.get(), X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
        X509_gmtime_adj(X509_getm_notBefore(certificate.get()), begins);
        X509_gmtime_adj(X509_getm_notAfter(certificate.get()), ends);
        X509_NAME* const subject = X509_get_subject_name(certificate.get());
        for (const std::string& name : names) {
            X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8,
                                       reinterpret_cast<const unsigned char*>(name.data()),
                                       static_cast<int>(name.size()), -1, 0);
        }
        X509_set_issuer_name(certificate.get(), subject);
        X509_set_pubkey(certificate.get(), key.get());
        X509_sign(certificate.get(), key.get(), EVP_sha256());
    }
    void write(const std::string& path) const {
        std::FILE* const file = std::fopen(path.c_str(), "w");
        REQUIRE(file != nullptr);
        PEM_write_X509(file, certificate.get());
        std::fclose(file);
    }

    std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key;
    std::unique_ptr<X509, void (*)(X509*)> certificate;
};

struct ServerFiles {
    test::TempDir folder;
    std::string certificate = (folder.path() / "tls.pem").string();
    std::string key = (folder.path() / "tls.key").string();
    std::string clients = (folder.path() / "clients.pem").string();

    ServerFiles() {
        const auto made = access::self_signed({"box.lan"}, *time_of("2026-11-26T12:00:00Z"));
        std::ofstream(certificate) << made.value().certificate;
        std::ofstream(key) << made.value().key;
    }
};

/// Lets both talk; what the server knows of the client then.
struct Shown {
    Came came = Came::more;
    bool ready = false;
    std::string name = {};
};

std::string taken_from(BIO* buffer) {
    char* text = nullptr;
    const long size = BIO_get_mem_data(buffer, &text);
    std::string octets(text, static_cast<std::size_t>(size));
    (void)BIO_reset(buffer);
    return octets;
}

Shown connect(const TlsContext& context, const ClientCertificate* shows, int version) {
    const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> client_context(
        SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
    const std::unique_ptr<SSL, void (*)(SSL*)> client(SSL_new(client_context.get()), SSL_free);
    SSL_set_bio(client.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(client.get());
    SSL_set_min_proto_version(client.get(), version);
    SSL_set_max_proto_version(client.get(), version);
    if (shows != nullptr) {
        SSL_use_certificate(client.get(), shows->certificate.get());
        SSL_use_PrivateKey(client.get(), shows->key.get());
    }
    const auto server = context.new_filter([](bool) {});
    Shown shown;
    std::string plain;
    for (int rounds = 0; rounds < 8 && shown.came == Came::more; ++rounds) {
        (void)SSL_do_handshake(client.get());
        const std::string said = taken_from(SSL_get_wbio(client.get()));
        if (!said.empty()) {
            shown.came = server->receive(said, plain);
        }
        const std::string answer(server->output());
        server->written(answer.size());
        BIO_write(SSL_get_rbio(client.get()), answer.data(), static_cast<int>(answer.size()));
    }
    shown.ready = server->is_ready();
    shown.name = shown.ready ? server->peer_name() : "";
    return shown;
}

}  // namespace

TEST_CASE("client certificates: the common name of one that is signed, and none without one") {
    const ServerFiles files;
    const ClientCertificate shop({"shop"});
    shop.write(files.clients);
    const auto context = TlsContext::load(files.certificate, files.key, files.clients);
    REQUIRE(context);
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        CAPTURE(version);
        const Shown named = connect(*context, &shop, version);
        CHECK(named.ready);
        CHECK(named.name == "shop");
        const Shown none = connect(*context, nullptr, version);
        CHECK(none.ready);
        CHECK(none.name.empty());
        const ClientCertificate other({"shop"});  // the same name, signed by another
        CHECK(connect(*context, &other, version).came == Came::broken);
        CHECK_FALSE(connect(*context, &other, version).ready);
    }
}

TEST_CASE("client certificates: one at its end is refused; two names are none") {
    const ServerFiles files;
    const ClientCertificate old({"shop"}, -2 * an_hour, -an_hour);
    old.write(files.clients);
    auto context = TlsContext::load(files.certificate, files.key, files.clients);
    CHECK_FALSE(connect(context.value(), &old, TLS1_3_VERSION).ready);
    const ClientCertificate two({"shop", "boss"});
    two.write(files.clients);
    context = TlsContext::load(files.certificate, files.key, files.clients);
    const Shown shown = connect(context.value(), &two, TLS1_3_VERSION);
    CHECK(shown.ready);
    CHECK(shown.name.empty());
}

TEST_CASE("client certificates: without client_ca no client is asked for one") {
    const ServerFiles files;
    const ClientCertificate shop({"shop"});
    const auto context = TlsContext::load(files.certificate, files.key);
    const Shown shown = connect(context.value(), &shop, TLS1_3_VERSION);
    CHECK(shown.ready);
    CHECK(shown.name.empty());
    for (const std::string& file : {files.key, std::string("/nonexistent/c")}) {
        CAPTURE(file);
        const auto refused = TlsContext::load(files.certificate, files.key, file);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::bad_config);
        CHECK(refused.error().context.starts_with(file + ": "));
    }
}
