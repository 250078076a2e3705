#include "src/posting/base64.hpp"

#include <cstddef>
#include <openssl/evp.h>

namespace smsrack::posting {
namespace {

constexpr std::size_t group_octets = 3;
constexpr std::size_t group_letters = 4;
constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64_of(std::string_view octets) {
    std::string text((octets.size() + group_octets - 1) / group_octets * group_letters, '\0');
    // It writes a 0 behind its text, where a std::string has one.
    (void)EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                          reinterpret_cast<const unsigned char*>(octets.data()),
                          static_cast<int>(octets.size()));
    return text;
}

std::optional<std::string> octets_of_base64(std::string_view text) {
    const std::size_t letters = std::min(text.find('='), text.size());
    const std::size_t padding = text.size() - letters;
    if (text.size() % group_letters != 0 || padding >= group_octets ||
        text.substr(letters).find_first_not_of('=') != std::string_view::npos ||
        text.substr(0, letters).find_first_not_of(alphabet) != std::string_view::npos) {
        return std::nullopt;
    }
    std::string octets(text.size() / group_letters * group_octets, '\0');
    if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(octets.data()),
                        reinterpret_cast<const unsigned char*>(text.data()),
                        static_cast<int>(text.size())) != static_cast<int>(octets.size())) {
        return std::nullopt;
    }
    octets.resize(octets.size() - padding);
    return octets;
}

}  // namespace smsrack::posting
