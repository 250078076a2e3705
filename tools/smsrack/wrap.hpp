/// Wraps text in lines that fit a terminal.
///
/// Unit:    columns, as a terminal counts them (columns_of()).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

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
