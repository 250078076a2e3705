/// Says in words why a request to a receiver got no answer, and what to do about it.
#pragma once

#include "firmware-host/gate/webhook/curl_library.hpp"
#include "firmware-host/gate/webhook/post_outcome.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace smsrack::gate {

/// How far a request came.
struct PostFailure {
    CURLcode code = CURLE_OK;
    std::string host = {};  ///< "crm.example:443": that was connected to
    bool tls = false;       ///< the URL is https
    bool by_proxy = false;
    bool connected = false;
    bool tls_agreed = false;
    bool refused_address = false;       ///< the only addresses left may not be reached
    long verify_result = 0;             ///< of X509_verify_cert()
    long system_error = 0;              ///< errno
    long proxy_status = 0;              ///< of the answer to CONNECT
    std::string certificate_file = {};  ///< `ca`
    std::chrono::seconds timeout{0};
};

/// `error` and `advice` of an outcome.
[[nodiscard]] PostOutcome failure_in_words(const PostFailure& failure, std::string_view otherwise);

/// The name of a receiver or proxy could not be looked up.
[[nodiscard]] PostOutcome lookup_in_words(const std::string& host, const Error& error);

}  // namespace smsrack::gate
