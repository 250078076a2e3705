/// A table for people: aligned columns with headings, and pairs of names and values.
///
/// Cells are made printable. The last column is not padded.
#pragma once

#include "tools/smsrack/console.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

enum class Align : std::uint8_t { left, right };

struct Column {
    std::string heading = {};
    Align align = Align::left;
};

class Table {
public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// As many cells as there are columns; an empty one is shown as "-".
    void add(std::vector<std::string> cells);

    [[nodiscard]] bool empty() const { return rows_.empty(); }

    /// With headings; `if_empty` is the sentence for a table without rows.
    [[nodiscard]] std::string text(const Console& console, std::string_view if_empty) const;

private:
    const std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

struct Pair {
    std::string name = {};
    std::string value = {};
};

/// "state     sent" for each pair; an empty value is shown as "-".
[[nodiscard]] std::string pairs_text(const std::vector<Pair>& pairs);

}  // namespace smsrack::cli
