#include "firmware-host/gate/tls_filter.hpp"

#include "src/base/check.hpp"

#include <array>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <utility>

namespace smsrack::gate {

TlsFilter::TlsFilter(ssl_ctx_st& context, std::function<void(bool)> agreed)
    : ssl_(SSL_new(&context), SSL_free), agreed_(std::move(agreed)) {
    SMSRACK_CHECK(ssl_ != nullptr);
    BIO* const in = BIO_new(BIO_s_mem());
    BIO* const out = BIO_new(BIO_s_mem());
    SMSRACK_CHECK(in != nullptr && out != nullptr);
    SSL_set_bio(ssl_.get(), in, out);
    SSL_set_accept_state(ssl_.get());
}

TlsFilter::~TlsFilter() {
    if (agreed_) {
        agreed_(false);
    }
}

TlsFilter::Came TlsFilter::receive(std::string_view octets, std::string& plain) {
    const int taken =
        BIO_write(SSL_get_rbio(ssl_.get()), octets.data(), static_cast<int>(octets.size()));
    if (taken != static_cast<int>(octets.size())) {
        return Came::broken;
    }
    if (!ready_) {
        const Came agreed = agree();
        if (!ready_) {
            return agreed;
        }
    }
    std::array<char, 16UL * 1024> piece;
    Came came = Came::more;
    for (;;) {
        ERR_clear_error();
        const int count = SSL_read(ssl_.get(), piece.data(), static_cast<int>(piece.size()));
        if (count <= 0) {
            const int error = SSL_get_error(ssl_.get(), count);
            came = error == SSL_ERROR_WANT_READ     ? Came::more
                   : error == SSL_ERROR_ZERO_RETURN ? Came::end
                                                    : Came::broken;
            break;
        }
        plain.append(piece.data(), static_cast<std::size_t>(count));
    }
    collect();
    return came;
}

/// OpenSSL has verified the certificate, or the client has shown none. More than one name is none: it
/// would not be clear which one counts.
std::string TlsFilter::peer_name() const {
    const X509* const certificate = SSL_get0_peer_certificate(ssl_.get());
    if (certificate == nullptr) {
        return {};
    }
    const X509_NAME* const subject = X509_get_subject_name(certificate);
    const int place = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    if (place < 0 || X509_NAME_get_index_by_NID(subject, NID_commonName, place) >= 0) {
        return {};
    }
    const ASN1_STRING* const name = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, place));
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(name)),
            static_cast<std::size_t>(ASN1_STRING_length(name))};
}

TlsFilter::Came TlsFilter::agree() {
    ERR_clear_error();
    const int done = SSL_do_handshake(ssl_.get());
    collect();
    if (done == 1) {
        ready_ = true;
        std::exchange(agreed_, nullptr)(true);
        return Came::more;
    }
    if (SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ) {
        return Came::more;
    }
    if (agreed_) {
        std::exchange(agreed_, nullptr)(false);
    }
    return Came::broken;
}

void TlsFilter::send(std::string_view plain) {
    ERR_clear_error();
    // Into memory: all of it is taken, unless the connection is broken, which the next reading says.
    (void)SSL_write(ssl_.get(), plain.data(), static_cast<int>(plain.size()));
    collect();
}

void TlsFilter::send_end() {
    if (ready_) {
        ERR_clear_error();
        (void)SSL_shutdown(ssl_.get());
        collect();
    }
}

void TlsFilter::collect() {
    BIO* const out = SSL_get_wbio(ssl_.get());
    char* text = nullptr;
    const long count = BIO_get_mem_data(out, &text);
    if (count > 0) {
        output_.append(text, static_cast<std::size_t>(count));
        (void)BIO_reset(out);
    }
}

void TlsFilter::written(std::size_t count) {
    written_ += count;
    if (written_ == output_.size()) {
        output_ = {};  // a thousand idle connections hold nothing
        written_ = 0;
    }
}

}  // namespace smsrack::gate
