/// How the gate tells the service for which account of SMPP it calls, in the place of a token's hash.
///
/// The gate has checked the account's password; the service has no list of accounts. It takes such a caller only if its own
/// configuration has [smpp], and lets it do what a client with the role `send` may do.
/// Unit:    "smpp:NAME", or "smpp+:NAME" of an account that hears all that comes in.
/// Source:  docs/decisions/0049-smpp-accounts.md
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::access {

struct SmppCaller {
    std::string name = {};
    bool hears_all = false;
};

[[nodiscard]] inline std::string text_of(const SmppCaller& caller) {
    return (caller.hears_all ? "smpp+:" : "smpp:") + caller.name;
}

/// nullopt: it is the hash of a token, or malformed.
[[nodiscard]] std::optional<SmppCaller> smpp_caller_of(std::string_view text);

}  // namespace smsrack::access
