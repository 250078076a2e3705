#include "src/pdu/gsm7_tables.hpp"

#include "src/pdu/gsm7_tables_data.hpp"

#include <algorithm>

namespace smsrack::pdu {
namespace {

using Tables = std::array<CodeTable, language_count>;

/// Fills in the way back from the characters.
constexpr void index(CodeTable& table) {
    table.ascii.fill(no_code);
    std::uint8_t count = 0;
    for (std::uint8_t code = 0; code < 128; ++code) {
        const char16_t character = table.characters[code];
        if (character == no_character) {
            continue;
        }
        if (character >= 128) {
            table.others[count] = {character, code};
            ++count;
        } else if (table.ascii[character] == no_code) {
            table.ascii[character] = code;
        }
    }
    table.others_count = count;
    std::sort(table.others.begin(), table.others.begin() + count, [](const auto& a, const auto& b) {
        return a.character != b.character ? a.character < b.character : a.code < b.code;
    });
}

constexpr Tables make_locking() {
    Tables tables{};
    for (auto& table : tables) {
        table.characters = data::locking_tables[0].characters;
    }
    for (const auto& language : data::locking_tables) {
        tables[language.language].characters = language.characters;
    }
    for (auto& table : tables) {
        index(table);
    }
    return tables;
}

constexpr Tables make_single() {
    Tables tables{};
    for (auto& table : tables) {
        table.characters.fill(no_character);
    }
    for (const auto& shift : data::single_shifts) {
        tables[shift.language].characters[shift.code] = shift.character;
    }
    for (auto& table : tables) {
        index(table);
    }
    return tables;
}

constexpr Tables locking = make_locking();
constexpr Tables single = make_single();

static_assert(data::locking_tables[0].language == 0);
static_assert(locking[0].characters[escape_code] == no_character);

}  // namespace

std::uint8_t CodeTable::code_of_other(char32_t character) const {
    const auto* const end = others.data() + others_count;
    const auto* const found = std::lower_bound(
        others.data(), end, character,
        [](const Entry& entry, char32_t wanted) { return entry.character < wanted; });
    return found != end && found->character == character ? found->code : no_code;
}

Gsm7Tables gsm7_tables(Languages languages) {
    const std::size_t main = languages.locking < language_count ? languages.locking : 0;
    const std::size_t shift = languages.single < language_count ? languages.single : 0;
    return {.main = &locking[main], .shift = &single[shift]};
}

}  // namespace smsrack::pdu
