/// The tokens that count now: finds one by the hash of what a caller showed.
///
/// Time:    wall time, for the end of a token; a lookup takes as long for a wrong token as for a
///          right one.
/// Threads: one at a time.
#pragma once

#include "src/access/token.hpp"
#include "src/base/clock.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::access {

class TokenBook {
public:
    void set(std::vector<Token> tokens) { tokens_ = std::move(tokens); }

    /// Null: malformed, not known (any more), or at its end. Valid until set().
    [[nodiscard]] const Token* find(std::string_view hash, WallTime now) const;

    /// When the next of them ends; nullopt: none does.
    [[nodiscard]] std::optional<WallTime> next_end(WallTime now) const;

private:
    std::vector<Token> tokens_;  // <= tokens_max
};

}  // namespace smsrack::access
