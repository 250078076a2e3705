#include "src/scaling/trace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <ranges>
#include <utility>

namespace smsrack::scaling {
namespace {

constexpr std::size_t problems_max = 20;  // more than an operator repairs at a time
constexpr double load_max = 1e12;         // beyond any rack, so that sums stay exact enough

struct Column {
    std::string_view name;
    double most;
    const char* words;  // what a value must be; 0 or more in any case
    void (*set)(TraceRow& row, double value);
    bool is_needed = false;
    bool is_whole = false;
};

/// In the order that they have in a file without a header (docs/man/smsrack.1).
constexpr std::array columns{
    Column{"seconds", 4e9 /* 126 years */, "seconds from 0",
           [](TraceRow& row, double value) { row.seconds = value; }, true},
    Column{"load", load_max, "messages per second, 0 or more",
           [](TraceRow& row, double value) { row.sample.load = value; }, true},
    Column{"cpu", 1, "a fraction from 0 to 1",
           [](TraceRow& row, double value) { row.sample.cpu = value; }},
    Column{"occupancy", 1, "a fraction from 0 to 1",
           [](TraceRow& row, double value) { row.sample.occupancy = value; }},
    Column{"forecast", load_max, "messages per second, 0 or more",
           [](TraceRow& row, double value) { row.sample.forecast = value; }},
    Column{
        "crash", 1'000, "how many nodes are down, 0 or more",
        [](TraceRow& row, double value) { row.sample.crashed = static_cast<std::uint32_t>(value); },
        false, true}};

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos
               ? std::string_view{}
               : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    for (;;) {
        const auto comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return cells;
        }
        line.remove_prefix(comma + 1);
    }
}

std::string shown(std::string_view cell) {
    std::string text(cell.substr(0, 20));
    std::ranges::replace_if(
        text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

std::optional<double> number(std::string_view cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    const bool whole = error == std::errc() && end == cell.data() + cell.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

class Reader {
public:
    void read(std::string_view line) {
        ++line_;
        if (trimmed(line).empty() || trimmed(line).starts_with('#')) {
            return;
        }
        if (columns_.empty()) {
            read_header(line);
        } else {
            read_row(line);
        }
    }

    std::expected<Trace, std::vector<TraceProblem>> result() && {
        if (problems_.empty() && trace_.empty()) {
            problems_.push_back({0,
                                 "there is no row; a trace is a header such as seconds,load "
                                 "and rows such as 0,5000"});
        }
        if (!problems_.empty()) {
            return std::unexpected(std::move(problems_));
        }
        return std::move(trace_);
    }

    [[nodiscard]] bool gives_up() const { return gives_up_ || problems_.size() >= problems_max; }

private:
    void complain(std::string message) { problems_.push_back({line_, std::move(message)}); }

    void read_header(std::string_view line) {
        const auto cells = cells_of(line);
        if (number(cells.front())) {
            for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) {
                columns_.push_back(&columns.at(i));
            }
            read_row(line);
            return;
        }
        for (const std::string_view cell : cells) {
            const auto* const column = std::ranges::find(columns, cell, &Column::name);
            if (column == columns.end()) {
                complain(
                    fmt::format("no column is named \"{}\"; there are {}", shown(cell),
                                fmt::join(columns | std::views::transform(&Column::name), ", ")));
            } else if (std::ranges::find(columns_, column) != columns_.end()) {
                complain(fmt::format("two columns are named \"{}\"", cell));
            }
            columns_.push_back(column);
        }
        for (const Column& column : columns) {
            if (column.is_needed && std::ranges::find(columns_, &column) == columns_.end()) {
                complain(fmt::format("the column {} is missing", column.name));
            }
        }
        gives_up_ = !problems_.empty();
    }

    void read_row(std::string_view line) {
        const auto cells = cells_of(line);
        if (cells.size() > columns_.size()) {
            complain(
                fmt::format("{} values, but there are {} columns", cells.size(), columns_.size()));
            return;
        }
        TraceRow row;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (!read_cell(*columns_[i], i < cells.size() ? cells[i] : "", row)) {
                return;
            }
        }
        if (!trace_.empty() && row.seconds <= trace_.back().seconds) {
            complain(fmt::format("{} s is not after the {} s of the row before", row.seconds,
                                 trace_.back().seconds));
            return;
        }
        trace_.push_back(row);
    }

    bool read_cell(const Column& column, std::string_view cell, TraceRow& row) {
        if (cell.empty() && !column.is_needed) {
            return true;
        }
        const auto value = number(cell);
        const bool fits = !column.is_whole || !value || *value == std::floor(*value);
        if (!value || *value < 0 || *value > column.most || !fits) {
            complain(fmt::format("{}: \"{}\" is not {}", column.name, shown(cell), column.words));
            return false;
        }
        column.set(row, *value);
        return true;
    }

    std::size_t line_ = 0;
    std::vector<const Column*> columns_;
    Trace trace_;
    std::vector<TraceProblem> problems_;
    bool gives_up_ = false;  // without its columns no row can be read
};

}  // namespace

std::expected<Trace, std::vector<TraceProblem>> read_trace(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // that some programs put before UTF-8
    if (text.starts_with(mark)) {
        text.remove_prefix(mark.size());
    }
    Reader reader;
    while (!text.empty() && !reader.gives_up()) {
        const auto end = text.find('\n');
        reader.read(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return std::move(reader).result();
}

std::vector<Sample> samples_of(const Trace& trace, std::chrono::milliseconds period) {
    std::vector<Sample> samples;
    const double step = std::chrono::duration<double>(period).count();
    const double first = trace.front().seconds;
    std::size_t row = 0;
    for (std::size_t i = 0; first + static_cast<double>(i) * step <= trace.back().seconds; ++i) {
        const double at = first + static_cast<double>(i) * step;
        while (row + 1 < trace.size() && trace[row + 1].seconds <= at) {
            ++row;
        }
        samples.push_back(trace[row].sample);
    }
    return samples;
}

}  // namespace smsrack::scaling
