#include "src/scaling/trace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace smsrack::scaling {
namespace {

enum class Column : std::uint8_t { seconds, load, cpu, occupancy, forecast, crash };

constexpr std::array<std::string_view, 6> column_names{"seconds",   "load",     "cpu",
                                                       "occupancy", "forecast", "crash"};
constexpr std::size_t problems_max = 20;  // more than an operator repairs at a time
constexpr double load_max = 1e12;         // beyond any rack, so that sums stay exact enough
constexpr double seconds_max = 4e9;       // 126 years
constexpr double crash_max = 1'000;

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

struct Range {
    double most;
    const char* words;
};

Range range_of(Column column) {
    switch (column) {
        case Column::seconds:
            return {seconds_max, "seconds from 0"};
        case Column::load:
        case Column::forecast:
            return {load_max, "messages per second, 0 or more"};
        case Column::cpu:
        case Column::occupancy:
            return {1, "a fraction from 0 to 1"};
        case Column::crash:
            break;
    }
    return {crash_max, "how many nodes are down, 0 or more"};
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

    /// A file without a header has the columns in the order of docs/man/smsrack.1.
    void read_header(std::string_view line) {
        const auto cells = cells_of(line);
        if (number(cells.front())) {
            for (std::size_t i = 0; i < std::min(cells.size(), column_names.size()); ++i) {
                columns_.push_back(static_cast<Column>(i));
            }
            read_row(line);
            return;
        }
        for (const std::string_view cell : cells) {
            const auto name = std::ranges::find(column_names, cell);
            const auto column = static_cast<Column>(name - column_names.begin());
            if (name == column_names.end()) {
                complain(fmt::format("no column is named \"{}\"; there are {}", shown(cell),
                                     fmt::join(column_names, ", ")));
            } else if (std::ranges::find(columns_, column) != columns_.end()) {
                complain(fmt::format("two columns are named \"{}\"", cell));
            }
            columns_.push_back(column);
        }
        for (const Column needed : {Column::seconds, Column::load}) {
            if (std::ranges::find(columns_, needed) == columns_.end()) {
                complain(fmt::format("the column {} is missing",
                                     column_names.at(static_cast<std::size_t>(needed))));
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
            if (!read_cell(columns_[i], i < cells.size() ? cells[i] : "", row)) {
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

    bool read_cell(Column column, std::string_view cell, TraceRow& row) {
        const std::string_view name = column_names.at(static_cast<std::size_t>(column));
        const bool needed = column == Column::seconds || column == Column::load;
        if (cell.empty() && !needed) {
            return true;
        }
        const auto value = number(cell);
        const Range range = range_of(column);
        const bool whole = column != Column::crash || !value || *value == std::floor(*value);
        if (!value || *value < 0 || *value > range.most || !whole) {
            complain(fmt::format("{}: \"{}\" is not {}", name, shown(cell), range.words));
            return false;
        }
        set(column, *value, row);
        return true;
    }

    static void set(Column column, double value, TraceRow& row) {
        switch (column) {
            case Column::seconds:
                row.seconds = value;
                break;
            case Column::load:
                row.sample.load = value;
                break;
            case Column::cpu:
                row.sample.cpu = value;
                break;
            case Column::occupancy:
                row.sample.occupancy = value;
                break;
            case Column::forecast:
                row.sample.forecast = value;
                break;
            case Column::crash:
                row.sample.crashed = static_cast<std::uint32_t>(value);
                break;
        }
    }

    std::size_t line_ = 0;
    std::vector<Column> columns_;
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
