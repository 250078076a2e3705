#include "src/access/token_uses.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::access {

void TokenUses::note(std::string_view hash, WallTime at, std::string_view address) {
    auto found = uses_.find(hash);
    if (found == uses_.end()) {
        if (uses_.size() >= uses_max) {
            uses_.erase(
                std::ranges::min_element(uses_, {}, [](const auto& one) { return one.second.at; }));
        }
        found = uses_.emplace(hash, TokenUse()).first;
    }
    found->second.at = at;
    found->second.address = address;
    changed_ = true;
}

std::optional<TokenUse> TokenUses::of(std::string_view hash) const {
    const auto found = uses_.find(hash);
    return found == uses_.end() ? std::nullopt : std::optional(found->second);
}

void TokenUses::read(std::string_view text) {
    constexpr std::size_t hash_length = 64;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::string_view hash = line.substr(0, hash_length);
        line.remove_prefix(std::min(hash_length + 1, line.size()));
        const std::size_t blank = std::min(line.find(' '), line.size());
        const auto at = time_of(line.substr(0, blank));
        if (is_token_hash(hash) && at) {
            note(hash, *at, line.substr(std::min(blank + 1, line.size())));
        }
    }
    changed_ = false;
}

std::string TokenUses::text() const {
    std::string text;
    for (const auto& [hash, use] : uses_) {
        text += fmt::format("{} {} {}\n", hash, time_text(use.at), use.address);
    }
    return text;
}

bool TokenUses::take_changed() {
    return std::exchange(changed_, false);
}

}  // namespace smsrack::access
