#include "tools/smsrack/screen/key_reader.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace smsrack::cli {
namespace {

constexpr char escape = '\x1B';
constexpr std::size_t sequence_max = 16;  // octets; the longest that is known has 4

struct Sequence {
    std::string_view text;  // behind ESC
    KeyKind kind;
};

constexpr std::array sequences{
    Sequence{"[A", KeyKind::up},       Sequence{"OA", KeyKind::up},
    Sequence{"[B", KeyKind::down},     Sequence{"OB", KeyKind::down},
    Sequence{"[5~", KeyKind::page_up}, Sequence{"[6~", KeyKind::page_down},
    Sequence{"[H", KeyKind::home},     Sequence{"OH", KeyKind::home},
    Sequence{"[1~", KeyKind::home},    Sequence{"[F", KeyKind::end},
    Sequence{"OF", KeyKind::end},      Sequence{"[4~", KeyKind::end},
};

/// Of "[1;5A" the final letter ends it, of "OA" the second octet.
bool is_whole(std::string_view behind_escape) {
    if (behind_escape.empty()) {
        return false;
    }
    if (behind_escape.front() == 'O') {
        return behind_escape.size() == 2;
    }
    if (behind_escape.front() != '[') {
        return true;  // Alt and a letter
    }
    return behind_escape.size() > 1 && behind_escape.back() >= '@' && behind_escape.back() <= '~';
}

std::optional<Key> plain_key(char c) {
    switch (c) {
        case '\t':
            return Key{.kind = KeyKind::tab};
        case '\r':
        case '\n':
            return Key{.kind = KeyKind::enter};
        default:
            return c >= ' ' && c <= '~' ? std::optional(Key{.letter = c}) : std::nullopt;
    }
}

}  // namespace

std::vector<Key> KeyReader::feed(std::string_view octets) {
    std::vector<Key> keys;
    for (const char c : octets) {
        if (c == escape) {
            begun_ = c;
        } else if (begun_.empty()) {
            if (const auto key = plain_key(c)) {
                keys.push_back(*key);
            }
        } else {
            begun_ += c;
            const std::string_view behind = std::string_view(begun_).substr(1);
            if (is_whole(behind) || begun_.size() >= sequence_max) {
                const auto known = std::ranges::find(sequences, behind, &Sequence::text);
                if (known != sequences.end()) {
                    keys.push_back({.kind = known->kind});
                }
                begun_.clear();
            }
        }
    }
    return keys;
}

}  // namespace smsrack::cli
