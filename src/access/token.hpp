/// The tokens of network callers: their roles, and the part of each token that is stored.
///
/// A token is shown once, when it is created. Its file contains only the SHA-256: 256 random bits
/// need no slow hash, and a reader of the file can't call with it.
/// Unit:    a line a token, "NAME ROLE SHA256 MADE"; empty lines and those that begin with "#" say nothing.
/// Errors:  bad_request, with the line: the line is malformed or its name is there twice. The line
///          is never quoted.
/// Source:  docs/decisions/0028-tokens.md; FIPS 180-4
#pragma once

#include "src/access/role.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::access {

struct Token {
    std::string name = {};  ///< 1 to 32 of letters, digits, "_", "-", "."
    Role role = Role::read;
    std::string hash = {};  ///< 64 small hex digits
    WallTime made = {};
};

[[nodiscard]] bool is_token_name(std::string_view name);

/// "smsrack_" and 64 hex digits: a scanner for leaked secrets knows it by its front.
[[nodiscard]] std::string token_text(const std::array<std::byte, 32>& chance);

[[nodiscard]] std::string token_hash(std::string_view token);

[[nodiscard]] Result<std::vector<Token>> tokens_of(std::string_view file);
[[nodiscard]] std::string text_of_tokens(const std::vector<Token>& tokens);

}  // namespace smsrack::access
