#include "src/access/token.hpp"

#include "src/base/hex.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <charconv>
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
constexpr std::string_view token_front = "smsrack_";
constexpr std::string_view until_front = "until=";
constexpr std::string_view masked_word = "masked";
constexpr std::string_view file_begin =
    "# Who may call over the network: name, role, SHA-256 of the token, made, until. `smsrack "
    "token` rewrites this file, and keeps no comments.\n";

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

/// What may follow: each at most once.
bool take_word(Token& token, std::string_view word) {
    if (word == masked_word) {
        return token.role == Role::read && !std::exchange(token.masked, true);
    }
    if (!word.starts_with(until_front) || token.until) {
        return false;
    }
    const auto end = time_of(word.substr(until_front.size()));
    token.until = end ? std::optional(*end) : std::nullopt;
    return token.until.has_value();
}

std::optional<Token> token_of(const std::vector<std::string_view>& words) {
    constexpr std::size_t name = 0, role = 1, hash = 2, made = 3, more = 4;
    if (words.size() < more || !is_token_name(words[name]) || !is_token_hash(words[hash])) {
        return std::nullopt;
    }
    const auto may = role_of(words[role]);
    const auto when = time_of(words[made]);
    if (!may || !when) {
        return std::nullopt;
    }
    Token token{.name = std::string(words[name]),
                .role = *may,
                .hash = std::string(words[hash]),
                .made = *when};
    const bool understood =
        std::ranges::all_of(words.begin() + more, words.end(),
                            [&](std::string_view word) { return take_word(token, word); });
    return understood ? std::optional(std::move(token)) : std::nullopt;
}

}  // namespace

bool is_token_name(std::string_view name) {
    return !name.empty() && name.size() <= name_max && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    });
}

std::string token_text(const std::array<std::byte, 32>& chance) {
    return std::string(token_front) + hex_of(chance);
}

bool is_token_hash(std::string_view text) {
    return text.size() == hash_length && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

std::optional<std::string_view> bearer_token(std::string_view authorization) {
    constexpr std::string_view scheme = "bearer ";
    const auto is_same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
    if (!std::ranges::equal(authorization.substr(0, scheme.size()), scheme, is_same)) {
        return std::nullopt;
    }
    const std::string_view token = authorization.substr(scheme.size());
    if (!token.starts_with(token_front) || !is_token_hash(token.substr(token_front.size()))) {
        return std::nullopt;
    }
    return token;
}

std::string token_hash(std::string_view token) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    // EVP_sha256() is looked up by its name at each use, which costs more than the hash.
    static EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    if (EVP_Digest(token.data(), token.size(), digest.data(), &length, sha256, nullptr) != 1) {
        throw std::runtime_error("SHA-256 can't be computed");  // memory has run out
    }
    return hex_of(std::as_bytes(std::span(digest).first(length)));
}

/// 61 bits of the name's hash: two names of one file share an owner as good as never.
OwnerId token_owner(std::string_view name) {
    constexpr std::size_t digits = 16;
    constexpr std::uint64_t front = 1ULL << 61U;
    std::uint64_t number = 0;
    const std::string hash = token_hash(name);
    std::from_chars(hash.data(), hash.data() + digits, number, 16);
    return OwnerId{static_cast<std::int64_t>(front | (number & (front - 1)))};
}

Result<std::vector<Token>> tokens_of(std::string_view file) {
    if (file.size() > tokens_bytes_max) {
        return fail(Errc::bad_request,
                    fmt::format("must not be larger than {} KiB; `smsrack token revoke` removes "
                                "tokens",
                                tokens_bytes_max / 1024));
    }
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
                                    "token's SHA-256, when it was made, and perhaps until=TIME; "
                                    "remove the line and make the token again",
                                    number));
        }
        if (!names.insert(token->name).second) {
            return fail(Errc::bad_request, fmt::format("line {}: the name is there twice", number));
        }
        if (tokens.size() == tokens_max) {
            return fail(Errc::bad_request,
                        fmt::format("line {}: there are more than {} tokens", number, tokens_max));
        }
        tokens.push_back(*std::move(token));
    }
    return tokens;
}

std::string text_of_tokens(const std::vector<Token>& tokens) {
    std::string text(file_begin);
    for (const Token& token : tokens) {
        text += fmt::format("{} {} {} {}", token.name, role_name(token.role), token.hash,
                            time_text(token.made));
        text += token.until ? fmt::format(" {}{}", until_front, time_text(*token.until)) : "";
        text += token.masked ? fmt::format(" {}\n", masked_word) : "\n";
    }
    return text;
}

}  // namespace smsrack::access
