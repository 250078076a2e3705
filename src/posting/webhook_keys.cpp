#include "src/posting/webhook_keys.hpp"

#include "src/posting/base64.hpp"

#include <algorithm>
#include <memory>
#include <openssl/evp.h>
#include <optional>

namespace smsrack::posting {
namespace {

constexpr std::string_view secret_front = "whsec_";
constexpr std::string_view signing_front = "whsk_";
constexpr std::string_view public_front = "whpk_";
constexpr std::size_t secret_min = 24;
constexpr std::size_t secret_max = 64;

/// Those that say something, without blanks at their ends.
std::vector<std::string_view> lines_of(std::string_view file) {
    constexpr std::string_view blanks = " \t\r";
    std::vector<std::string_view> lines;
    while (!file.empty()) {
        std::string_view line = file.substr(0, file.find('\n'));
        file.remove_prefix(std::min(line.size() + 1, file.size()));
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        line = line.substr(0, line.find_last_not_of(blanks) + 1);
        if (!line.empty() && !line.starts_with('#')) {
            lines.push_back(line);
        }
    }
    return lines;
}

std::optional<std::string> octets_behind(std::string_view front, std::string_view line) {
    return line.starts_with(front) ? octets_of_base64(line.substr(front.size())) : std::nullopt;
}

KeyOctets first_octets(std::string_view octets) {
    KeyOctets key{};
    std::ranges::copy(octets.substr(0, key.size()), key.begin());
    return key;
}

}  // namespace

Result<std::vector<Secret>> secrets_of(std::string_view file) {
    const auto lines = lines_of(file);
    std::vector<Secret> secrets;
    for (const std::string_view line : lines) {
        auto octets = octets_behind(secret_front, line);
        if (octets && octets->size() >= secret_min && octets->size() <= secret_max) {
            secrets.push_back({.text = std::string(line), .octets = *std::move(octets)});
        }
    }
    if (secrets.empty() || secrets.size() != lines.size() || secrets.size() > keys_max) {
        return fail(Errc::bad_config,
                    "must be one or two lines, each \"whsec_\" and the base64 of 24 to 64 octets; "
                    "`smsrack webhook new` makes such a file");
    }
    return secrets;
}

Result<SigningKey> signing_key_of(std::string_view file) {
    const auto lines = lines_of(file);
    const auto octets =
        lines.size() == 1 ? octets_behind(signing_front, lines.front()) : std::nullopt;
    if (!octets ||
        (octets->size() != KeyOctets{}.size() && octets->size() != 2 * KeyOctets{}.size())) {
        return fail(
            Errc::bad_config,
            "must be one line: \"whsk_\" and the base64 of an Ed25519 key, 32 or 64 octets");
    }
    return SigningKey{first_octets(*octets)};
}

Result<PublicKey> public_half(const SigningKey& key) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> whole(
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, key.seed.data(), key.seed.size()),
        EVP_PKEY_free);
    PublicKey half;
    std::size_t size = half.octets.size();
    if (!whole || EVP_PKEY_get_raw_public_key(whole.get(), half.octets.data(), &size) != 1) {
        return fail(Errc::internal, "OpenSSL has no Ed25519");
    }
    return half;
}

Result<PublicKey> public_key_of(std::string_view file) {
    const auto lines = lines_of(file);
    const auto octets =
        lines.size() == 1 ? octets_behind(public_front, lines.front()) : std::nullopt;
    if (octets && octets->size() == KeyOctets{}.size()) {
        return PublicKey{first_octets(*octets)};
    }
    const auto key = signing_key_of(file);
    if (!key) {
        return fail(
            Errc::bad_config,
            "must be one line: \"whpk_\" and the base64 of 32 octets, or \"whsk_\" and that "
            "of 32 or 64");
    }
    return public_half(*key);
}

std::string secret_text(const std::array<std::byte, 32>& chance) {
    return std::string(secret_front) +
           base64_of({reinterpret_cast<const char*>(chance.data()), chance.size()});
}

std::string public_key_text(const PublicKey& key) {
    return std::string(public_front) +
           base64_of({reinterpret_cast<const char*>(key.octets.data()), key.octets.size()});
}

}  // namespace smsrack::posting
