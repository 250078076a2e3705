#include "tools/smsrack/rack/status_view.hpp"

#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/json_table.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

namespace smsrack::cli {

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(seconds < 0 ? 0 : seconds);
    return fmt::format("{} d {:02}:{:02}:{:02}", whole / 86'400, whole / 3'600 % 24,
                       whole / 60 % 60, whole % 60);
}

std::string availability_text(const wire::Json& status) {
    double all = 0;
    const wire::Json seconds = object_of(status, "availability");
    for (const auto& [state, count] : seconds.items()) {
        all += number_of(seconds, state).value_or(0);
    }
    if (all <= 0) {
        return "";
    }
    constexpr double parts = 100'000;  // three digits of percent
    const double accepting = number_of(seconds, "accepting_s").value_or(0);
    return fmt::format("{:g} %", std::floor(accepting / all * parts) / (parts / 100));
}

std::string rate_text(const wire::Json& status, std::string_view member) {
    const auto rate = number_of(status, member);
    return rate ? fmt::format("{:.1f}/s", *rate) : "";
}

std::string seconds_text(const wire::Json& level, std::string_view member) {
    const auto ms = number_of(level, member);
    return ms ? fmt::format("{:.1f} s", *ms / 1'000) : "";
}

Table table_of_levels(const wire::Json& levels) {
    std::vector<Column> columns{{"LEVEL"}};
    for (const wire::Json& level : levels) {
        columns.push_back({text_of(level, "level"), Align::right});
    }
    Table table(std::move(columns));
    const auto row = [&](const char* name, const auto& cell_of) {
        std::vector<std::string> cells{name};
        for (const wire::Json& level : levels) {
            cells.push_back(cell_of(level));
        }
        table.add(std::move(cells));
    };
    row("waiting", [](const wire::Json& level) { return text_of(level, "depth"); });
    row("recent time", [](const wire::Json& level) { return seconds_text(level, "t_recent_ms"); });
    row("promised", [](const wire::Json& level) { return seconds_text(level, "sla_ms"); });
    return table;
}

std::string counts_text(const wire::Json& counts) {
    constexpr std::array<std::string_view, 10> order{
        "scheduled", "queued",      "sending", "uncertain", "sent",
        "delivered", "undelivered", "failed",  "expired",   "cancelled"};
    std::string text;
    for (const Pair& count : pairs_of(counts, order)) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.name, count.value);
    }
    if (const auto elsewhere = count_of(counts, "elsewhere"); elsewhere > 0) {  // boxes of a fleet
        text += fmt::format(", elsewhere {}", elsewhere);
    }
    return text;
}

std::vector<Pair> troubles_of(const wire::Json& status, const TimeStyle& times) {
    std::vector<Pair> troubles;
    for (const wire::Json& one : array_of(status, "conditions")) {
        const std::string advice = text_of(one, "advice");
        troubles.push_back(
            {.name = text_of(one, "condition"),
             .value = fmt::format("{} (since {}){}{}", times.in_sentence(text_of(one, "text")),
                                  times.to_seconds(text_of(one, "since")),
                                  advice.empty() ? "" : " -> ", advice)});
    }
    for (const wire::Json& pause : array_of(status, "pauses")) {
        if (text_of(pause, "scope") == "batch") {  // a condition reports the others
            troubles.push_back({.name = "paused",
                                .value = fmt::format("batch {}, since {}", text_of(pause, "name"),
                                                     times.to_seconds(text_of(pause, "since")))});
        }
    }
    return troubles;
}

}  // namespace smsrack::cli
