#include "src/access/certificate.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

namespace smsrack::access {
namespace {

constexpr std::chrono::days valid_before{1};  // the clocks of clients may be behind
constexpr std::chrono::days valid_for{3'650};
constexpr std::size_t name_octets_max = 64;  // RFC 5280, ub-common-name

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using X509Ptr = std::unique_ptr<X509, decltype(&X509_free)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

std::unexpected<Error> openssl_failed() {
    return fail(Errc::internal, "OpenSSL can't make a certificate");
}

bool is_address(const std::string& name) {
    const std::unique_ptr<ASN1_OCTET_STRING, decltype(&ASN1_OCTET_STRING_free)> octets(
        a2i_IPADDRESS(name.c_str()), ASN1_OCTET_STRING_free);
    return octets != nullptr;
}

bool is_host_name(std::string_view name) {
    return !name.empty() && name.size() <= name_octets_max && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '.' || c == '_';
    });
}

bool add_extension(X509& certificate, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, &certificate, &certificate, nullptr, nullptr, 0);
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
        X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()), X509_EXTENSION_free);
    return extension && X509_add_ext(&certificate, extension.get(), -1) == 1;
}

std::string alternative_names(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text +=
            fmt::format("{}{}:{}", text.empty() ? "" : ",", is_address(name) ? "IP" : "DNS", name);
    }
    return text;
}

/// 16 random octets; the first bit is 0, since a serial number is positive.
bool set_serial(X509& certificate) {
    std::array<unsigned char, 16> octets{};
    if (RAND_bytes(octets.data(), static_cast<int>(octets.size())) != 1) {
        return false;
    }
    octets.front() = static_cast<unsigned char>((octets.front() & 0x7FU) | 1U);
    const std::unique_ptr<BIGNUM, decltype(&BN_free)> number(
        BN_bin2bn(octets.data(), static_cast<int>(octets.size()), nullptr), BN_free);
    return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(&certificate));
}

bool set_times(X509& certificate, WallTime now) {
    const auto seconds = [](WallTime time) {
        return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
    };
    return ASN1_TIME_set(X509_getm_notBefore(&certificate), seconds(now - valid_before)) &&
           ASN1_TIME_set(X509_getm_notAfter(&certificate), seconds(now + valid_for));
}

bool set_name(X509& certificate, const std::string& name) {
    X509_NAME* const subject = X509_get_subject_name(&certificate);
    return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                      reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
                                      0) == 1 &&
           X509_set_issuer_name(&certificate, subject) == 1;
}

std::string text_of(BIO& bio) {
    char* text = nullptr;
    const long size = BIO_get_mem_data(&bio, &text);
    return {text, static_cast<std::size_t>(size)};
}

std::string sha256_of(const X509& certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (X509_digest(&certificate, EVP_sha256(), digest.data(), &size) != 1) {
        return {};
    }
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text += fmt::format("{}{:02X}", i == 0 ? "" : ":", digest.at(i));
    }
    return text;
}

}  // namespace

Result<Certificate> self_signed(const std::vector<std::string>& names, WallTime now) {
    for (const std::string& name : names) {
        if (!is_host_name(name) && !is_address(name)) {
            return fail(Errc::bad_request, "must be names of hosts or numeric addresses");
        }
    }
    if (names.empty()) {
        return fail(Errc::bad_request, "needs a name");
    }
    const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const X509Ptr certificate(X509_new(), X509_free);
    constexpr long version_3 = 2;
    const bool made = key && certificate && X509_set_version(certificate.get(), version_3) == 1 &&
                      set_serial(*certificate) && set_times(*certificate, now) &&
                      X509_set_pubkey(certificate.get(), key.get()) == 1 &&
                      set_name(*certificate, names.front()) &&
                      add_extension(*certificate, NID_basic_constraints, "critical,CA:FALSE") &&
                      add_extension(*certificate, NID_key_usage, "critical,digitalSignature") &&
                      add_extension(*certificate, NID_ext_key_usage, "serverAuth") &&
                      add_extension(*certificate, NID_subject_alt_name, alternative_names(names)) &&
                      X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0;
    const Bio key_text(BIO_new(BIO_s_mem()), BIO_free);
    const Bio certificate_text(BIO_new(BIO_s_mem()), BIO_free);
    if (!made || !key_text || !certificate_text ||
        PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                 nullptr) != 1 ||
        PEM_write_bio_X509(certificate_text.get(), certificate.get()) != 1) {
        return openssl_failed();
    }
    return Certificate{.key = text_of(*key_text),
                       .certificate = text_of(*certificate_text),
                       .sha256 = sha256_of(*certificate)};
}

}  // namespace smsrack::access
