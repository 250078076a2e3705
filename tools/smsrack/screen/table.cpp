#include "tools/smsrack/screen/table.hpp"

#include "src/base/check.hpp"
#include "tools/smsrack/screen/wrap.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <numeric>

namespace smsrack::cli {
namespace {

constexpr std::size_t gap = 2;  // blanks between columns
// Columns that a wrapped text keeps before others are left out.
constexpr std::size_t wrap_min = 14;

std::string padded(std::string_view text, std::size_t width, Align align, bool last) {
    const std::size_t columns = columns_of(text);
    const std::string blanks(width > columns ? width - columns : 0, ' ');
    if (align == Align::right) {
        return blanks + std::string(text);
    }
    return last ? std::string(text) : std::string(text) + blanks;
}

}  // namespace

/// Which columns are shown, and how wide.
struct Table::Layout {
    struct Place {
        std::size_t column = 0;
        std::size_t least = 0;  ///< what it can do with
        std::size_t width = 0;
    };
    std::vector<Place> places = {};
    std::vector<std::size_t> left_out = {};

    [[nodiscard]] std::size_t sum(std::size_t Place::*of) const {
        const std::size_t gaps = places.empty() ? 0 : gap * (places.size() - 1);
        return std::accumulate(
            places.begin(), places.end(), gaps,
            [of](std::size_t sum, const Place& place) { return sum + place.*of; });
    }

    /// Takes room from the places that are wider than they must be, the widest first.
    void shrink(std::size_t columns) {
        while (sum(&Place::width) > columns) {
            const auto widest = std::ranges::max_element(places, {}, [](const Place& place) {
                return place.width > place.least ? place.width : 0;
            });
            if (widest == places.end() || widest->width <= widest->least) {
                break;
            }
            --widest->width;
        }
    }
};

void Table::add(std::vector<std::string> cells) {
    SMSRACK_CHECK(cells.size() == columns_.size());
    for (std::string& cell : cells) {
        cell = cell.empty() ? "-" : printable(cell);
    }
    rows_.push_back(std::move(cells));
}

Table::Layout Table::layout_for(std::size_t columns) const {
    Layout layout;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        const std::size_t heading = columns_of(columns_[column].heading);
        std::size_t width = heading;
        for (const auto& row : rows_) {
            width = std::max(width, columns_of(row[column]));
        }
        const bool wraps = columns_[column].fit == Fit::wraps;
        layout.places.push_back(
            {.column = column,
             .least = wraps ? std::min(width, std::max(heading, wrap_min)) : width,
             .width = width});
    }
    if (columns == 0) {
        return layout;
    }
    const auto spare_of = [this](const Layout::Place& place) {
        return columns_[place.column].spare;
    };
    while (layout.sum(&Layout::Place::least) > columns) {
        const auto first_out = std::ranges::max_element(layout.places, {}, spare_of);
        if (spare_of(*first_out) == 0) {
            break;
        }
        layout.left_out.push_back(first_out->column);
        layout.places.erase(first_out);
    }
    if (layout.sum(&Layout::Place::least) > columns) {  // only what is needed, and still too wide
        for (Layout::Place& place : layout.places) {
            place.least = 1;
        }
    }
    layout.shrink(columns);
    std::ranges::sort(layout.left_out);
    return layout;
}

std::string Table::headings(const Layout& layout) const {
    std::string out;
    for (const auto& place : layout.places) {
        const bool last = &place == &layout.places.back();
        out += padded(cut_to(columns_[place.column].heading, place.width), place.width,
                      columns_[place.column].align, last);
        out += last ? "" : std::string(gap, ' ');
    }
    return out;
}

void Table::append_row(const std::vector<std::string>& row, const Layout& layout,
                       std::string& out) const {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (const auto& place : layout.places) {
        cells.push_back(wrapped(row[place.column], place.width));
        height = std::max(height, cells.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
        std::string text;
        for (std::size_t at = 0; at < cells.size(); ++at) {
            const bool last = at + 1 == cells.size();
            text += padded(line < cells[at].size() ? cells[at][line] : "", layout.places[at].width,
                           columns_[layout.places[at].column].align, last);
            text += last ? "" : std::string(gap, ' ');
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    }
}

std::string Table::text(const Console& console, std::string_view if_empty) const {
    const std::size_t columns = console.traits().out_columns;
    if (rows_.empty()) {
        return hanging("", if_empty, columns);
    }
    const Layout layout = layout_for(columns);
    std::string out = console.bold(headings(layout)) + "\n";
    for (const auto& row : rows_) {
        append_row(row, layout, out);
    }
    if (!layout.left_out.empty()) {
        std::vector<std::string> names;
        for (const std::size_t column : layout.left_out) {
            names.push_back(columns_[column].heading);
        }
        out += hanging(
            "", fmt::format("(Too narrow for: {}. --wide shows all.)", fmt::join(names, ", ")),
            columns);
    }
    return out;
}

std::vector<std::string> Table::cut_lines(std::size_t columns) const {
    const Layout layout = layout_for(columns);
    std::vector<std::string> lines{headings(layout)};
    for (const auto& row : rows_) {
        std::string line;
        for (const auto& place : layout.places) {
            line += padded(cut_to(row[place.column], place.width), place.width,
                           columns_[place.column].align, false);
            line += std::string(gap, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string pairs_text(const std::vector<Pair>& pairs, const Console& console) {
    std::size_t width = 0;
    for (const Pair& pair : pairs) {
        width = std::max(width, columns_of(pair.name));
    }
    std::string out;
    for (const Pair& pair : pairs) {
        const std::string value = pair.value.empty() ? "-" : printable(pair.value);
        out += hanging(padded(pair.name, width + gap, Align::left, false), value,
                       console.traits().out_columns);
    }
    return out;
}

}  // namespace smsrack::cli
