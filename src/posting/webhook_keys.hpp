/// Keys that sign webhook requests, as their files have them.
///
/// Unit:    a key a line; empty lines and those that begin with "#" say nothing.
/// Bound:   keys_max lines, so that a new secret and the one before it both count for a while.
/// Errors:  bad_config, with what a line must be. The line is never quoted.
/// Source:  Standard Webhooks 1.0.0, "Signature scheme"; RFC 4648 4 (base64), RFC 8032 (Ed25519)
#pragma once

#include "src/base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::posting {

inline constexpr std::size_t keys_max = 2;
inline constexpr std::size_t key_file_bytes_max = 4'096;

/// Shared with the receiver.
struct Secret {
    std::string text = {};    ///< "whsec_..."
    std::string octets = {};  ///< 24 to 64
};

/// Ed25519: the receiver knows only the public half.
using KeyOctets = std::array<std::uint8_t, 32>;
struct SigningKey {
    KeyOctets seed = {};
};
struct PublicKey {
    KeyOctets octets = {};
};

/// The secrets of a file: the newest first, one at least.
[[nodiscard]] Result<std::vector<Secret>> secrets_of(std::string_view file);
/// "whsk_<base64>" of a file: of 32 octets, or of 64, whose second half is the public key.
[[nodiscard]] Result<SigningKey> signing_key_of(std::string_view file);
/// "whpk_<base64>" of a file, or the public half of its "whsk_".
[[nodiscard]] Result<PublicKey> public_key_of(std::string_view file);
[[nodiscard]] Result<PublicKey> public_half(const SigningKey& key);

[[nodiscard]] std::string secret_text(const std::array<std::byte, 32>& chance);
[[nodiscard]] std::string public_key_text(const PublicKey& key);

}  // namespace smsrack::posting
