/// The tokens that count now: finds one by the hash of what a caller showed.
///
/// Time:    wall time, for the end of a token; a lookup takes as long for a wrong token as for a
///          right one.
/// Threads: one at a time.
#pragma once

#include "src/access/token.hpp"
#include "src/base/clock.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::access {

class TokenBook {
public:
    void set(std::vector<Token> tokens) {
        tokens_ = std::move(tokens);
        is_known_ = true;
    }
    /// False: none were set yet, so it is not known which tokens count.
    [[nodiscard]] bool is_known() const { return is_known_; }
    /// Hashes that count no more, whatever is set().
    void set_revoked(std::vector<std::string> hashes) { revoked_ = std::move(hashes); }

    /// Null: malformed, not known (any more), revoked, or at its end. Valid until set().
    [[nodiscard]] const Token* find(std::string_view hash, WallTime now) const;
    /// The same by its name.
    [[nodiscard]] const Token* named(std::string_view name, WallTime now) const;

    /// All that were set, also those that count no more.
    [[nodiscard]] const std::vector<Token>& all() const { return tokens_; }
    [[nodiscard]] bool is_revoked(const Token& token) const;

    /// When the next of them ends; nullopt: none does.
    [[nodiscard]] std::optional<WallTime> next_end(WallTime now) const;

private:
    [[nodiscard]] const Token* counting(const Token* token, WallTime now) const;

    bool is_known_ = false;
    std::vector<Token> tokens_;         // <= tokens_max
    std::vector<std::string> revoked_;  // <= tokens_max
};

}  // namespace smsrack::access
