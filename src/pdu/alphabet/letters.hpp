/// Capitals, small letters and blanks, for comparing what people write.
///
/// Covers Latin, Greek and Cyrillic.
/// Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace smsrack::pdu {

/// The small letter of a capital; any other character as it is.
[[nodiscard]] char32_t small_letter(char32_t c);

/// Control characters too, and blanks without a width.
[[nodiscard]] bool is_blank(char32_t c);

/// In small letters, each run of blanks as one. `text`: UTF-8.
[[nodiscard]] std::string compared_text(std::string_view text);

}  // namespace smsrack::pdu
