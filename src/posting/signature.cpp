#include "src/posting/signature.hpp"

#include "src/base/hex.hpp"
#include "src/posting/base64.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <fmt/format.h>
#include <memory>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <vector>

namespace smsrack::posting {
namespace {

constexpr std::size_t hmac_octets = 32;
constexpr std::size_t ed25519_octets = 64;
using PKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using MdContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

const unsigned char* octets(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string hmac(std::string_view secret, std::string_view content) {
    std::string code(hmac_octets, '\0');
    unsigned size = 0;
    (void)HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), octets(content),
               content.size(), reinterpret_cast<unsigned char*>(code.data()), &size);
    return code;
}

std::string content_of(const SignedParts& parts) {
    return fmt::format("{}.{}.{}", parts.id, parts.timestamp, parts.body);
}

std::string ed25519(const SigningKey& key, std::string_view content) {
    const PKey whole(
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, key.seed.data(), key.seed.size()),
        EVP_PKEY_free);
    const MdContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    std::string signature(ed25519_octets, '\0');
    std::size_t size = signature.size();
    if (!whole || !context ||
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, whole.get()) != 1 ||
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                       octets(content), content.size()) != 1) {
        return {};
    }
    return signature;
}

bool ed25519_fits(const PublicKey& key, std::string_view content, std::string_view signature) {
    const PKey half(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.octets.data(),
                                                key.octets.size()),
                    EVP_PKEY_free);
    const MdContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    return half && context &&
           EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, half.get()) == 1 &&
           EVP_DigestVerify(context.get(), octets(signature), signature.size(), octets(content),
                            content.size()) == 1;
}

struct OneSignature {
    std::string_view version;
    std::string octets;
};

/// One that can't be read has no octets, and so fits nothing.
std::vector<OneSignature> signatures_of(std::string_view header) {
    std::vector<OneSignature> found;
    while (!header.empty()) {
        const std::string_view one = header.substr(0, header.find(' '));
        header.remove_prefix(std::min(one.size() + 1, header.size()));
        const std::size_t comma = std::min(one.find(','), one.size());
        const std::string_view code = one.substr(std::min(comma + 1, one.size()));
        found.push_back({one.substr(0, comma), octets_of_base64(code).value_or("")});
    }
    return found;
}

bool is_same(std::string_view one, std::string_view other) {
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

Result<> check_time(std::string_view timestamp, WallTime now) {
    std::int64_t seconds = 0;
    const auto [end, error] =
        std::from_chars(timestamp.data(), timestamp.data() + timestamp.size(), seconds);
    if (error != std::errc() || end != timestamp.data() + timestamp.size()) {
        return fail(Errc::bad_request, "webhook-timestamp: must be unix seconds");
    }
    const auto now_seconds =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    const std::int64_t limit = std::chrono::seconds(tolerance).count();
    if (seconds < now_seconds - limit || seconds > now_seconds + limit) {
        return fail(Errc::bad_request,
                    fmt::format("webhook-timestamp: {} than this machine's clock by more than 5 "
                                "minutes: a repeated request, or one of the clocks is wrong",
                                seconds < now_seconds ? "older" : "newer"));
    }
    return {};
}

}  // namespace

std::string signature_of(const SignedParts& parts, std::span<const Secret> secrets,
                         const std::optional<SigningKey>& key) {
    const std::string content = content_of(parts);
    std::string all;
    const auto add = [&all](std::string_view version, const std::string& code) {
        all += fmt::format("{}{},{}", all.empty() ? "" : " ", version, base64_of(code));
    };
    for (const Secret& secret : secrets) {
        add("v1", hmac(secret.octets, content));
    }
    if (key) {
        add("v1a", ed25519(*key, content));
    }
    return all;
}

std::string hex_hmac(std::string_view secret, std::string_view content) {
    return hex_of(hmac(secret, content));
}

Result<> verify(const SignedParts& parts, std::string_view signature,
                std::span<const Secret> secrets, const std::optional<PublicKey>& key,
                WallTime now) {
    for (const auto& [name, value] :
         {std::pair("webhook-id", parts.id), std::pair("webhook-timestamp", parts.timestamp),
          std::pair("webhook-signature", signature)}) {
        if (value.empty()) {
            return fail(Errc::bad_request, fmt::format("the request has no header {}", name));
        }
    }
    if (auto timely = check_time(parts.timestamp, now); !timely) {
        return timely;
    }
    const std::string content = content_of(parts);
    const std::string_view wanted = key ? "v1a" : "v1";
    bool seen = false;
    for (const OneSignature& one : signatures_of(signature)) {
        if (one.version != wanted) {
            continue;
        }
        seen = true;
        const bool fits = key ? ed25519_fits(*key, content, one.octets)
                              : std::ranges::any_of(secrets, [&](const Secret& secret) {
                                    return is_same(hmac(secret.octets, content), one.octets);
                                });
        if (fits) {
            return {};
        }
    }
    if (!seen) {
        return fail(
            Errc::bad_request,
            fmt::format("webhook-signature: has no signature of kind {}{}", wanted,
                        key ? "; the webhook has no `key`" : "; the webhook has no `secret`"));
    }
    return fail(Errc::bad_request,
                "webhook-signature: none fits: the secret is another one, or the body was changed "
                "on its way (it must be the octets as they came, before any JSON parser)");
}

}  // namespace smsrack::posting
