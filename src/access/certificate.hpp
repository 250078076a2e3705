/// A private key, and a certificate that it signs itself: for a box without an authority of its own.
///
/// ECDSA on P-256, 10 years: a box in a cellar must not stop to be reachable one day. Its clients compare the SHA-256, or take the
/// certificate as their authority.
/// Errors:  bad_request: a name is neither a host's name nor a numeric address, or there is none; internal: OpenSSL can't.
/// Source:  RFC 5280 4.2.1.6 (names), 4.2.1.9, 4.2.1.12
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <string>
#include <vector>

namespace smsrack::access {

struct Certificate {
    std::string key = {};          ///< PEM
    std::string certificate = {};  ///< PEM
    std::string sha256 = {};       ///< of its octets: "AB:CD:..."
};

/// For a server with these names and addresses; the first is its common name.
[[nodiscard]] Result<Certificate> self_signed(const std::vector<std::string>& names, WallTime now);

}  // namespace smsrack::access
