/// Prints tables for people: aligned columns with headings, and pairs of names and values.
///
/// Cells are made printable. The last column is not padded. A table fits the terminal: texts are wrapped within their
/// column, and columns that are not needed to know a row are left out, which is said below the table.
#pragma once

#include "tools/smsrack/screen/console.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

enum class Align : std::uint8_t { left, right };

/// What a column does where the terminal is too narrow.
enum class Fit : std::uint8_t { whole, wraps };

struct Column {
    std::string heading = {};
    Align align = Align::left;
    std::uint8_t spare = 0;  ///< 0: always shown; of the others the highest is left out first
    Fit fit = Fit::whole;
};

class Table {
public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// As many cells as there are columns; an empty one is shown as "-".
    void add(std::vector<std::string> cells);

    [[nodiscard]] bool empty() const { return rows_.empty(); }

    /// With headings; `if_empty` is the sentence for a table without rows.
    [[nodiscard]] std::string text(const Console& console, std::string_view if_empty) const;

    /// The heading, then one line for each row, cut to `columns`: a part of a screen.
    [[nodiscard]] std::vector<std::string> cut_lines(std::size_t columns) const;

private:
    struct Layout;
    [[nodiscard]] Layout layout_for(std::size_t columns) const;
    [[nodiscard]] std::string headings(const Layout& layout) const;
    void append_row(const std::vector<std::string>& row, const Layout& layout,
                    std::string& out) const;

    const std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

struct Pair {
    std::string name = {};
    std::string value = {};
};

/// "state sent" for each pair; an empty value is shown as "-", a long one continues below itself.
[[nodiscard]] std::string pairs_text(const std::vector<Pair>& pairs, const Console& console);

}  // namespace smsrack::cli
