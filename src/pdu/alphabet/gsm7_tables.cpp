#include "src/pdu/alphabet/gsm7_tables.hpp"

#include "src/pdu/alphabet/gsm7_tables_data.hpp"

#include <algorithm>
#include <span>

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

constexpr Tables make_tables(std::span<const data::CharacterRun> runs) {
    Tables tables{};
    for (auto& table : tables) {
        table.characters.fill(no_character);
    }
    for (const auto& run : runs) {
        for (std::size_t language = run.first; language <= run.last; ++language) {
            std::ranges::copy(run.characters, tables[language].characters.begin() + run.code);
        }
    }
    for (auto& table : tables) {
        index(table);
    }
    return tables;
}

constexpr Tables locking = make_tables(data::locking_tables);
constexpr Tables single = make_tables(data::single_shifts);

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
