/// How a terminal displays UTF-8, and how a text is wrapped in lines that fit it.
///
/// Unit:    columns, as a terminal counts them (columns_of()).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

[[nodiscard]] bool is_utf8(std::string_view text);

/// 0, 1 or 2.
[[nodiscard]] std::size_t columns_of_character(char32_t character);

/// `text` in lines of at most `columns` columns, broken at blanks; a longer word is cut. 0 columns: one line.
/// `text` is printable and holds no line end. Never empty: an empty text is one empty line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// The beginning of `text` that fits `columns` columns.
[[nodiscard]] std::string_view cut_to(std::string_view text, std::size_t columns);

/// Lines of `text`, each with a line end: the first one follows `first`, the others are indented by as many columns
/// as `first` has. `columns` are those of the terminal; 0: one line.
[[nodiscard]] std::string hanging(std::string_view first, std::string_view text,
                                  std::size_t columns);

}  // namespace smsrack::cli
