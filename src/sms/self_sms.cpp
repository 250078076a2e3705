#include "src/sms/self_sms.hpp"

#include <fmt/format.h>

namespace smsrack {
namespace {

constexpr std::string_view text_begin = "smsrack self-sms ";
constexpr std::size_t token_digits = 16;

std::string ref_of(std::string_view token) {
    return fmt::format("{}:{}", self_sms_batch, token);
}

}  // namespace

std::string self_sms_text(std::uint64_t token) {
    return fmt::format("{}{:016x}", text_begin, token);
}

std::string self_sms_ref(std::uint64_t token) {
    return ref_of(fmt::format("{:016x}", token));
}

std::optional<std::string> self_sms_ref_in(std::string_view text) {
    const std::size_t begin = text.find(text_begin);
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view token = text.substr(begin + text_begin.size(), token_digits);
    if (token.size() != token_digits ||
        token.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
        return std::nullopt;
    }
    return ref_of(token);
}

}  // namespace smsrack
