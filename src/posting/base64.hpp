/// Base64 with its padding.
///
/// Errors:  nullopt: the text is not base64, or not padded.
/// Source:  RFC 4648 4
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::posting {

[[nodiscard]] std::string base64_of(std::string_view octets);
[[nodiscard]] std::optional<std::string> octets_of_base64(std::string_view text);

}  // namespace smsrack::posting
