/// What became of one request to a receiver.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace smsrack::gate {

struct PostOutcome {
    int status = 0;           ///< of the answer; 0: there was none, and `error` says why
    std::string error = {};   ///< one sentence
    std::string advice = {};  ///< what to do about it
    std::chrono::milliseconds took{0};
    std::optional<std::chrono::seconds> retry_after = {};
    std::string answer = {};   ///< begin of its body, printable
    std::string address = {};  ///< that it was sent to
    std::string tls = {};  ///< "TLSv1.3 TLS_AES_256_GCM_SHA384"; empty: without, or not agreed on
};

}  // namespace smsrack::gate
