/// Who may call over the network: tokens, their roles, and what is kept of them.
///
/// A token is told once, when it is made. Its file has the SHA-256 alone: 256 bits of chance need no slow hash, and who reads the file can't
/// call with it.
/// Unit:    a line a token, "NAME ROLE SHA256 MADE"; empty lines and those that begin with "#" say nothing.
/// Errors:  bad_request, with the line: not such a line, or a name that stands twice. It never quotes the line.
/// Source:  contract config.md, [http] tokens; FIPS 180-4
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
