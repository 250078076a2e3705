/// Recognises characters that must not reach a terminal as they are: controls, and characters that
/// are invisible, have no width or change the direction of a line. A received text may contain them
/// to control a terminal or to make one line look like another.
///
/// Joiners, which some scripts and emoji need, are among them: a message that shows "\u{200D}" can still be read, one that lies
/// can not. Variation selectors of emoji (FE00 to FE0F) and combining marks are not: they change the look of what is before them.
/// Source:  Unicode 15, Bidi_Control and Default_Ignorable_Code_Point; Unicode TR 36, 2 and 3.
#pragma once

#include <string>
#include <string_view>

namespace smsrack {

[[nodiscard]] bool is_unseen(char32_t character);

/// For people: "\n", "\x1B", "\u{202E}" for such characters, U+FFFD for what is no UTF-8. The rest stays.
[[nodiscard]] std::string seen_text(std::string_view text);

/// As JSON writes it within a text: "\u202e", or two of them above U+FFFF.
void append_json_escape(std::string& out, char32_t character);

}  // namespace smsrack
