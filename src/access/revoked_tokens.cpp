#include "src/access/revoked_tokens.hpp"

#include <algorithm>

namespace smsrack::access {

std::vector<std::string> revoked_of(std::string_view file) {
    std::vector<std::string> hashes;
    while (!file.empty() && hashes.size() < tokens_max) {
        const std::string_view line = file.substr(0, file.find('\n'));
        file.remove_prefix(std::min(line.size() + 1, file.size()));
        if (is_token_hash(line)) {
            hashes.emplace_back(line);
        }
    }
    return hashes;
}

std::string text_of_revoked(const std::vector<std::string>& hashes) {
    std::string text;
    for (const std::string& hash : hashes) {
        text += hash + "\n";
    }
    return text;
}

}  // namespace smsrack::access
