/// When each token was used last, and from where.
///
/// In memory: a call costs no write. firmware-host/tokens keeps it in a file, a minute behind.
/// Unit:    of its text: a line a token, "SHA256 TIME ADDRESS".
/// Bound:   uses_max tokens; of more, the one that was used longest ago goes.
/// Threads: one at a time.
#pragma once

#include "src/access/token.hpp"
#include "src/base/clock.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::access {

struct TokenUse {
    WallTime at = {};
    std::string address = {};  ///< empty: not known
};

class TokenUses {
public:
    static constexpr std::size_t uses_max = tokens_max;

    void note(std::string_view hash, WallTime at, std::string_view address);
    /// nullopt: not since it is remembered.
    [[nodiscard]] std::optional<TokenUse> of(std::string_view hash) const;

    /// Takes what text() wrote; lines that are not understood are left out.
    void read(std::string_view text);
    [[nodiscard]] std::string text() const;

    /// Something was noted since it was asked last.
    [[nodiscard]] bool take_changed();

private:
    std::map<std::string, TokenUse, std::less<>> uses_;
    bool changed_ = false;
};

}  // namespace smsrack::access
