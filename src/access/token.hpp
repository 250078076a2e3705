/// The tokens of network callers: their roles, and the part of each token that is stored.
///
/// A token is shown once, when it is created. Its file contains only the SHA-256: 256 random bits
/// need no slow hash, and a reader of the file can't call with it.
/// Unit:    a line a token, "NAME ROLE SHA256 MADE [until=TIME] [masked]"; empty lines and those that begin
///          with "#" say nothing.
/// Bound:   tokens_max tokens, tokens_bytes_max octets.
/// Errors:  bad_request, with the line: the line is malformed, its name is there twice, or there are
///          too many. The line is never quoted.
/// Source:  docs/decisions/0028-tokens.md; FIPS 180-4
#pragma once

#include "src/access/role.hpp"
#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::access {

struct Token {
    std::string name = {};  ///< 1 to 32 of letters, digits, "_", "-", "."
    Role role = Role::read;
    std::string hash = {};  ///< 64 small hex digits
    WallTime made = {};
    std::optional<WallTime> until = {};  ///< from then on it is worth nothing; nullopt: never
    bool masked = false;                 ///< of role read: it sees no whole number and no text
};

/// Each request compares its token with all of them.
inline constexpr std::size_t tokens_max = 1'000;
inline constexpr std::size_t tokens_bytes_max = 256UL * 1024;

[[nodiscard]] bool is_token_name(std::string_view name);

/// "smsrack_" and 64 hex digits: a scanner for leaked secrets knows it by its front.
[[nodiscard]] std::string token_text(const std::array<std::byte, 32>& chance);

[[nodiscard]] std::string token_hash(std::string_view token);

/// Owns the messages that this token's callers bring, also after the token was made again. No uid of the system is as large.
[[nodiscard]] OwnerId token_owner(std::string_view name);

/// Told to each caller whose token does not count, whatever the reason.
inline constexpr std::string_view unknown_token =
    "this call needs a token that counts: Authorization: Bearer smsrack_...; `smsrack token new` "
    "makes one, `smsrack token list` shows those that count";

/// 64 small hex digits.
[[nodiscard]] bool is_token_hash(std::string_view text);

/// The token of an Authorization header, "Bearer smsrack_<64 small hex digits>". nullopt if it is malformed.
[[nodiscard]] std::optional<std::string_view> bearer_token(std::string_view authorization);

[[nodiscard]] Result<std::vector<Token>> tokens_of(std::string_view file);
[[nodiscard]] std::string text_of_tokens(const std::vector<Token>& tokens);

}  // namespace smsrack::access
