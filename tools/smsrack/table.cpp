#include "tools/smsrack/table.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <cstddef>

namespace smsrack::cli {
namespace {

constexpr std::size_t gap = 2;  // blanks between columns

std::string padded(std::string_view text, std::size_t width, Align align, bool last) {
    const std::size_t columns = columns_of(text);
    const std::string blanks(width > columns ? width - columns : 0, ' ');
    if (align == Align::right) {
        return blanks + std::string(text);
    }
    return last ? std::string(text) : std::string(text) + blanks;
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
    SMSRACK_CHECK(cells.size() == columns_.size());
    for (std::string& cell : cells) {
        cell = cell.empty() ? "-" : printable(cell);
    }
    rows_.push_back(std::move(cells));
}

std::string Table::text(const Console& console, std::string_view if_empty) const {
    if (rows_.empty()) {
        return std::string(if_empty) + "\n";
    }
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        std::size_t width = columns_of(columns_[column].heading);
        for (const auto& row : rows_) {
            width = std::max(width, columns_of(row[column]));
        }
        widths.push_back(width);
    }
    const auto line = [&](const auto& cell_of) {
        std::string text;
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            const bool last = column + 1 == columns_.size();
            text += padded(cell_of(column), widths[column], columns_[column].align, last);
            text += last ? "" : std::string(gap, ' ');
        }
        return text;
    };
    std::string out = console.bold(line([&](std::size_t column) {
        return std::string_view(columns_[column].heading);
    })) + "\n";
    for (const auto& row : rows_) {
        out += line([&](std::size_t column) { return std::string_view(row[column]); }) + "\n";
    }
    return out;
}

std::string pairs_text(const std::vector<Pair>& pairs) {
    std::size_t width = 0;
    for (const Pair& pair : pairs) {
        width = std::max(width, columns_of(pair.name));
    }
    std::string out;
    for (const Pair& pair : pairs) {
        const std::string value = pair.value.empty() ? "-" : printable(pair.value);
        out += padded(pair.name, width + gap, Align::left, false) + value + "\n";
    }
    return out;
}

}  // namespace smsrack::cli
