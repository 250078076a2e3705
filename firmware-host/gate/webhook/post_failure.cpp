#include "firmware-host/gate/webhook/post_failure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <openssl/x509_vfy.h>
#include <system_error>

namespace smsrack::gate {
namespace {

PostOutcome words(std::string error, std::string advice) {
    return {.error = std::move(error), .advice = std::move(advice)};
}

struct VerifyRow {
    long result;
    std::string_view error;
    std::string_view advice;
};
constexpr std::string_view own_ca =
    "give it a certificate from an authority that this box knows, or set `ca` to the file of its "
    "own "
    "authority";
constexpr std::array verify_rows{
    VerifyRow{X509_V_ERR_CERT_HAS_EXPIRED, "has expired",
              "renew it; or look at the clock of this box"},
    VerifyRow{X509_V_ERR_CERT_NOT_YET_VALID, "is not valid yet", "look at the clock of this box"},
    VerifyRow{
        X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "is self-signed",
        "set `ca` to a file with this certificate, or give the receiver one from an authority"},
    VerifyRow{X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
              "is from an authority that this box does not know", own_ca},
    VerifyRow{
        X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
        "is from an authority that this box does not know",
        "give it a certificate from an authority that this box knows, with its whole chain, or set "
        "`ca` to the file of its own authority"},
    VerifyRow{X509_V_ERR_HOSTNAME_MISMATCH, "is for another name",
              "use a name in `url` that is in the certificate"},
    VerifyRow{X509_V_ERR_IP_ADDRESS_MISMATCH, "is for another address",
              "use a name in `url` that is in the certificate"},
    // libcurl compares the name by itself, after OpenSSL had nothing to say.
    VerifyRow{X509_V_OK, "is for another name", "use a name in `url` that is in the certificate"},
    VerifyRow{X509_V_ERR_UNSPECIFIED, "is for another name",
              "use a name in `url` that is in the certificate"},
};

PostOutcome bad_certificate(const PostFailure& failure) {
    const auto* const row =
        std::ranges::find(verify_rows, failure.verify_result, &VerifyRow::result);
    if (row == verify_rows.end()) {
        return words(fmt::format("the certificate of {} is not accepted: {}", failure.host,
                                 X509_verify_cert_error_string(failure.verify_result)),
                     std::string(own_ca));
    }
    return words(fmt::format("the certificate of {} {}", failure.host, row->error),
                 std::string(row->advice));
}

PostOutcome not_connected(const PostFailure& failure) {
    if (failure.refused_address) {
        return words(
            fmt::format("{} leads to an address that may not be called", failure.host),
            "link-local, multicast and reserved addresses are never called, and public ones "
            "over http:// only with insecure = true");
    }
    if (failure.system_error == ECONNREFUSED) {
        return words(failure.host + " refuses connections",
                     "start the receiver, or correct the port in `url`");
    }
    const std::string why =
        failure.system_error == 0
            ? ""
            : ": " + std::generic_category().message(static_cast<int>(failure.system_error));
    return words(fmt::format("{} can't be reached{}", failure.host, why),
                 "look at the route and the firewalls between this box and the receiver");
}

PostOutcome too_late(const PostFailure& failure) {
    const auto seconds = failure.timeout.count();
    if (!failure.connected) {
        return words(fmt::format("no connection to {} within {} s", failure.host, seconds),
                     "look at the firewalls between this box and the receiver");
    }
    if (failure.tls && !failure.tls_agreed) {
        return words(fmt::format("no TLS with {} within {} s", failure.host, seconds),
                     "look whether this port speaks TLS");
    }
    return words(
        fmt::format("no answer from {} within {} s", failure.host, seconds),
        "the receiver should answer at once and do its work afterwards; timeout_s allows more "
        "time");
}

PostOutcome by_proxy(const PostFailure& failure) {
    return failure.proxy_status == 0
               ? words(fmt::format("the proxy {} does not answer as a proxy", failure.host),
                       "look at `proxy`")
               : words(fmt::format("the proxy {} refuses with {}", failure.host,
                                   failure.proxy_status),
                       "look at what the proxy permits");
}

}  // namespace

PostOutcome failure_in_words(const PostFailure& failure, std::string_view otherwise) {
    const bool not_there = failure.code == CURLE_COULDNT_CONNECT ||
                           failure.code == CURLE_COULDNT_RESOLVE_PROXY ||
                           failure.code == CURLE_OPERATION_TIMEDOUT;
    if (failure.by_proxy && failure.tls && failure.proxy_status / 100 != 2 && !not_there) {
        return by_proxy(failure);
    }
    switch (failure.code) {
        case CURLE_COULDNT_CONNECT:
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_RESOLVE_PROXY:
            return not_connected(failure);
        case CURLE_OPERATION_TIMEDOUT:
            return too_late(failure);
        case CURLE_PEER_FAILED_VERIFICATION:
            return bad_certificate(failure);
        case CURLE_SSL_CACERT_BADFILE:
            return words(failure.certificate_file + " is not a file of certificates",
                         "`ca` must be a file in PEM that smsrack-gate may read");
        case CURLE_SSL_CONNECT_ERROR:
            return words(failure.host + " does not agree on TLS",
                         "it must speak TLS 1.2 or 1.3 on this port");
        case CURLE_GOT_NOTHING:
        case CURLE_RECV_ERROR:
        case CURLE_SEND_ERROR:
        case CURLE_PARTIAL_FILE:
            return words(failure.host + " closed the connection before it had answered",
                         "look at the log of the receiver");
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_HTTP2:
        case CURLE_BAD_CONTENT_ENCODING:
            return words("the answer of " + failure.host + " is not HTTP",
                         failure.tls ? "look at the port in `url`"
                                     : "look at the port in `url`, and whether it needs https://");
        case CURLE_WRITE_ERROR:
            return words("the head of the answer of " + failure.host + " is too long",
                         "64 KiB are read");
        default:
            return words(fmt::format("sending to {} failed: {}", failure.host, otherwise), "");
    }
}

PostOutcome lookup_in_words(const std::string& host, const Error& error) {
    switch (error.code) {
        case Errc::timeout:
            return words("no name server answers for " + host,
                         "look at /etc/resolv.conf and the network");
        case Errc::busy:
            return words("the address of " + host + " could not be looked up: " + error.context,
                         "look at the name servers");
        default:
            return words("there is no address for the name " + host,
                         "correct `url`, or the name server");
    }
}

}  // namespace smsrack::gate
