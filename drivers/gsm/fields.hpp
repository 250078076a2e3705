/// The fields of an information line: "+CREG: 1,5" has 1 and 5; `+COPS: 0,0,"F SFR"` has 0, 0 and F
/// SFR.
///
/// Source:  ITU-T V.250 5.7.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace smsrack::gsm {

/// Field `index`, from 0, without its quotes; empty where there is none. A comma within quotes does
/// not separate.
[[nodiscard]] std::string_view field(std::string_view line, std::size_t index);

/// The same of a text that has no name in front, and with the quotes.
[[nodiscard]] std::string_view parameter(std::string_view text, std::size_t index);

/// A field that is a whole number, unquoted.
[[nodiscard]] std::optional<int> number_field(std::string_view line, std::size_t index);

}  // namespace smsrack::gsm
