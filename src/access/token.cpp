#include "src/access/token.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

namespace smsrack::access {
namespace {

constexpr std::size_t name_max = 32;
constexpr std::size_t hash_length = 64;
constexpr std::string_view file_begin =
    "# Who may call over the network: name, role, SHA-256 of the token, made. `smsrack token` "
    "rewrites this file, and keeps no comments.\n";

bool is_hash(std::string_view text) {
    return text.size() == hash_length && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

std::string hex_of(std::span<const std::byte> octets) {
    std::string text;
    for (const std::byte octet : octets) {
        text += fmt::format("{:02x}", std::to_integer<unsigned>(octet));
    }
    return text;
}

/// The words of a line; blanks part them.
std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    std::vector<std::string_view> words;
    for (;;) {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        if (line.empty()) {
            return words;
        }
        words.push_back(line.substr(0, line.find_first_of(blanks)));
        line.remove_prefix(words.back().size());
    }
}

std::optional<Token> token_of(const std::vector<std::string_view>& words) {
    constexpr std::size_t name = 0, role = 1, hash = 2, made = 3, count = 4;
    if (words.size() != count || !is_token_name(words[name]) || !is_hash(words[hash])) {
        return std::nullopt;
    }
    const auto may = role_of(words[role]);
    const auto when = time_of(words[made]);
    if (!may || !when) {
        return std::nullopt;
    }
    return Token{.name = std::string(words[name]),
                 .role = *may,
                 .hash = std::string(words[hash]),
                 .made = *when};
}

}  // namespace

bool is_token_name(std::string_view name) {
    return !name.empty() && name.size() <= name_max && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    });
}

std::string token_text(const std::array<std::byte, 32>& chance) {
    return "smsrack_" + hex_of(chance);
}

std::string token_hash(std::string_view token) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(token.data(), token.size(), digest.data(), &length, EVP_sha256(), nullptr) !=
        1) {
        throw std::runtime_error("SHA-256 can't be computed");  // memory has run out
    }
    return hex_of(std::as_bytes(std::span(digest).first(length)));
}

Result<std::vector<Token>> tokens_of(std::string_view file) {
    std::vector<Token> tokens;
    std::set<std::string> names;
    for (int number = 1; !file.empty(); ++number) {
        const std::string_view line = file.substr(0, file.find('\n'));
        file.remove_prefix(std::min(line.size() + 1, file.size()));
        const auto words = words_of(line);
        if (words.empty() || words.front().starts_with('#')) {
            continue;
        }
        auto token = token_of(words);
        if (!token) {
            return fail(Errc::bad_request,
                        fmt::format("line {}: must be a name, a role (send, read, admin), the "
                                    "token's SHA-256 and when it was made",
                                    number));
        }
        if (!names.insert(token->name).second) {
            return fail(Errc::bad_request, fmt::format("line {}: the name is there twice", number));
        }
        tokens.push_back(*std::move(token));
    }
    return tokens;
}

std::string text_of_tokens(const std::vector<Token>& tokens) {
    std::string text(file_begin);
    for (const Token& token : tokens) {
        text += fmt::format("{} {} {} {}\n", token.name, role_name(token.role), token.hash,
                            time_text(token.made));
    }
    return text;
}

}  // namespace smsrack::access
