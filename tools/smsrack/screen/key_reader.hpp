/// Reads keys from the octets of a terminal.
///
/// Source:  ECMA-48 and the habits of xterm: "\x1B[A" or "\x1BOA" is the arrow up. A sequence that is not known is skipped whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

enum class KeyKind : std::uint8_t { letter, up, down, page_up, page_down, home, end, tab, enter };

struct Key {
    KeyKind kind = KeyKind::letter;
    char letter = '\0';  ///< with KeyKind::letter

    friend bool operator==(const Key&, const Key&) = default;
};

class KeyReader {
public:
    /// A sequence may be cut anywhere: its beginning is kept for the next call, at most 16 octets of it.
    [[nodiscard]] std::vector<Key> feed(std::string_view octets);

private:
    std::string begun_;  // of a sequence, with its ESC
};

}  // namespace smsrack::cli
