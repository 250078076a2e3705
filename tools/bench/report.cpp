#include "tools/bench/report.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::bench {
namespace {

constexpr std::size_t columns = 5;
using Row = std::array<std::string, columns>;

bool reached(const Goal& goal, double value, double wanted) {
    return goal.at_most ? value <= wanted : value >= wanted;
}

std::string number(double value, int decimals) {
    return fmt::format("{:.{}f}", value, decimals);
}

std::string wanted(const Figure& figure, const std::optional<double>& value) {
    if (!value) {
        return {};
    }
    return fmt::format("{} {}", figure.goal.at_most ? "<=" : ">=", number(*value, figure.decimals));
}

Row row_of(const Figure& figure) {
    return {figure.name, fmt::format("{} {}", number(figure.value, figure.decimals), figure.unit),
            wanted(figure, figure.goal.bound), wanted(figure, figure.goal.aim),
            std::string(verdict(figure))};
}

}  // namespace

std::string_view verdict(const Figure& figure) {
    const Goal& goal = figure.goal;
    if (goal.bound && !reached(goal, figure.value, *goal.bound)) {
        return goal.at_most ? "above" : "below";
    }
    if (goal.aim && !reached(goal, figure.value, *goal.aim)) {
        return goal.at_most ? "above aim" : "below aim";
    }
    return goal.bound || goal.aim ? "meets" : "";
}

std::string table_of(const Report& report) {
    std::vector<Row> rows{{"figure", "measured", "bound", "aim", ""}};
    for (const Figure& figure : report.figures) {
        rows.push_back(row_of(figure));
    }
    std::array<std::size_t, columns> widths{};
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < columns; ++i) {
            widths.at(i) = std::max(widths.at(i), row.at(i).size());
        }
    }
    std::string text = report.question + "\n";
    for (const std::string& condition : report.conditions) {
        text += fmt::format("  {}\n", condition);
    }
    for (const Row& row : rows) {
        std::string line = fmt::format("  {:{}}", row[0], widths[0]);
        for (std::size_t i = 1; i < columns - 1; ++i) {
            line += fmt::format("  {:>{}}", row.at(i), widths.at(i));
        }
        line += "  " + row[columns - 1];
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    for (const std::string& note : report.notes) {
        text += fmt::format("  - {}\n", note);
    }
    return text;
}

wire::Json json_of(const Report& report) {
    wire::Json figures = wire::Json::array();
    for (const Figure& figure : report.figures) {
        wire::Json one{{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}};
        const char* const prefix = figure.goal.at_most ? "at_most" : "at_least";
        if (figure.goal.bound) {
            one[prefix] = *figure.goal.bound;
        }
        if (figure.goal.aim) {
            one["aim"] = *figure.goal.aim;
        }
        if (const auto word = verdict(figure); !word.empty()) {
            one["verdict"] = word;
        }
        figures.push_back(std::move(one));
    }
    return {{"question", report.question},
            {"conditions", report.conditions},
            {"figures", std::move(figures)},
            {"notes", report.notes}};
}

}  // namespace smsrack::bench
