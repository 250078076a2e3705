/// The GSM 7-bit tables: the default alphabet with its extension, and the national locking and
/// single shift tables.
///
/// Unit:    a code is a septet, 0..127; characters are all in the Basic Multilingual Plane.
/// Source:  3GPP TS 23.038 6.2.1, 6.2.1.1, Annex A; the data is in gsm7_tables_data.hpp.
#pragma once

#include <array>
#include <cstdint>

namespace smsrack::pdu {

/// National Language Identifiers: 0 the default tables, 1 Turkish .. 13 Urdu.
struct Languages {
    std::uint8_t locking = 0;
    std::uint8_t single = 0;
    friend bool operator==(Languages, Languages) = default;
};

inline constexpr std::uint8_t language_count = 14;
inline constexpr std::uint8_t spanish = 2;  ///< has a single shift table, and no locking table
inline constexpr std::uint8_t escape_code = 0x1B;
inline constexpr char16_t no_character = 0xFFFF;
inline constexpr std::uint8_t no_code = 0xFF;

/// One table of 128 places, readable in both directions.
struct CodeTable {
    struct Entry {
        char16_t character = no_character;
        std::uint8_t code = no_code;
    };
    std::array<char16_t, 128> characters = {};  ///< by code; no_character: none
    std::array<std::uint8_t, 128> ascii = {};   ///< code of U+0000..007F, or no_code
    /// Those above, by character; the lowest code where there are two.
    std::array<Entry, 128> others = {};
    std::uint8_t others_count = 0;

    /// The code of a character, or no_code.
    [[nodiscard]] std::uint8_t code_of(char32_t character) const {
        return character < 128 ? ascii[character] : code_of_other(character);
    }

private:
    [[nodiscard]] std::uint8_t code_of_other(char32_t character) const;
};

/// The tables that a text is read or written with.
struct Gsm7Tables {
    const CodeTable* main = nullptr;   ///< never null
    const CodeTable* shift = nullptr;  ///< after the escape; never null
};

/// An identifier without a table means the default one.
[[nodiscard]] Gsm7Tables gsm7_tables(Languages languages);

}  // namespace smsrack::pdu
