/// Signatures of webhook requests: makes them, and checks them as a receiver does.
///
/// Time:    unix seconds; a request that is older or newer than `tolerance` is taken for a replay.
/// Errors:  verify(): bad_request, with what is wrong and what to look at.
/// Source:  Standard Webhooks 1.0.0, "Signature scheme"; RFC 2104, RFC 8032
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/posting/webhook_keys.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::posting {

/// What is signed of a request.
struct SignedParts {
    std::string_view id = {};         ///< header webhook-id
    std::string_view timestamp = {};  ///< header webhook-timestamp
    std::string_view body = {};
};

/// Header webhook-signature: "v1,<base64>" of each secret, "v1a,<base64>" of the key, separated by blanks.
[[nodiscard]] std::string signature_of(const SignedParts& parts, std::span<const Secret> secrets,
                                       const std::optional<SigningKey>& key);

/// HMAC-SHA256 as 64 small hex digits, as GitHub and others write it.
[[nodiscard]] std::string hex_hmac(std::string_view secret, std::string_view content);

inline constexpr std::chrono::minutes tolerance{5};

/// `signature`: the header. With a secret it looks at "v1", with a public key at "v1a"; one that fits is enough.
[[nodiscard]] Result<> verify(const SignedParts& parts, std::string_view signature,
                              std::span<const Secret> secrets, const std::optional<PublicKey>& key,
                              WallTime now);

}  // namespace smsrack::posting
