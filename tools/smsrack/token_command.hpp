/// `smsrack token new|list|revoke`: manages the tokens of callers over the network.
///
/// Works on the file, not by the service. Two at the same time wait for each other.
#pragma once

#include "src/access/token.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

inline constexpr const char* usual_tokens = "/etc/smsrack/tokens";

struct TokenNewOptions {
    std::string file = usual_tokens;
    access::Role role = access::Role::read;
    std::string name = {};  ///< empty: the role and a number
};

struct TokenListOptions {
    std::string file = usual_tokens;
};

struct TokenRevokeOptions {
    std::string file = usual_tokens;
    std::string name = {};
};

/// Prints the token, the only time that it is shown. usage: not a name; failed: there is one of
/// this name; bad_data: the file is not one of tokens; not_allowed.
[[nodiscard]] Outcome<> run(const TokenNewOptions& options, Context& context);
[[nodiscard]] Outcome<> run(const TokenListOptions& options, Context& context);
/// failed: there is none of this name.
[[nodiscard]] Outcome<> run(const TokenRevokeOptions& options, Context& context);

}  // namespace smsrack::cli
