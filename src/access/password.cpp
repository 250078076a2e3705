#include "src/access/password.hpp"

#include <cerrno>
#include <crypt.h>
#include <memory>
#include <openssl/crypto.h>

namespace smsrack::access {
namespace {

/// Empty: it can't.
std::string crypted(const std::string& password, const std::string& setting) {
    const auto data = std::make_unique<crypt_data>();  // 32 KiB
    const char* const hash = crypt_r(password.c_str(), setting.c_str(), data.get());
    return hash == nullptr || *hash == '*' ? std::string() : std::string(hash);
}

}  // namespace

Result<std::string> password_hash(const std::string& password) {
    crypt_data data{};
    // Without octets of ours it takes them from the system.
    const char* const setting =
        crypt_gensalt_rn("$y$", 0, nullptr, 0, data.output, sizeof data.output);
    std::string hash = setting == nullptr ? std::string() : crypted(password, setting);
    if (hash.empty()) {
        return fail(Errc::internal, "crypt: this system can't hash a password", errno);
    }
    return hash;
}

bool password_matches(const std::string& password, const std::string& hash) {
    const std::string again = crypted(password, hash);
    return !again.empty() && again.size() == hash.size() &&
           CRYPTO_memcmp(again.data(), hash.data(), hash.size()) == 0;
}

std::string password_text(std::string_view chance) {
    constexpr std::string_view letters = "abcdefghjkmnpqrstuvwxyz23456789A";
    static_assert(letters.size() == 32);
    std::string text;
    for (const char octet : chance) {
        text += letters[static_cast<unsigned char>(octet) % letters.size()];
    }
    return text;
}

}  // namespace smsrack::access
