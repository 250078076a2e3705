#include "src/access/token_book.hpp"

#include <algorithm>
#include <openssl/crypto.h>

namespace smsrack::access {

/// All are compared, each in constant time.
const Token* TokenBook::find(std::string_view hash, WallTime now) const {
    const Token* found = nullptr;
    for (const Token& token : tokens_) {
        if (hash.size() == token.hash.size() &&
            CRYPTO_memcmp(hash.data(), token.hash.data(), hash.size()) == 0) {
            found = &token;
        }
    }
    return counting(found, now);
}

const Token* TokenBook::named(std::string_view name, WallTime now) const {
    const auto found = std::ranges::find(tokens_, name, &Token::name);
    return counting(found == tokens_.end() ? nullptr : &*found, now);
}

bool TokenBook::is_revoked(const Token& token) const {
    return std::ranges::find(revoked_, token.hash) != revoked_.end();
}

const Token* TokenBook::counting(const Token* token, WallTime now) const {
    const bool counts =
        token != nullptr && (!token->until || now < *token->until) && !is_revoked(*token);
    return counts ? token : nullptr;
}

std::optional<WallTime> TokenBook::next_end(WallTime now) const {
    std::optional<WallTime> next;
    for (const Token& token : tokens_) {
        if (token.until && *token.until > now) {
            next = std::min(next.value_or(*token.until), *token.until);
        }
    }
    return next;
}

}  // namespace smsrack::access
