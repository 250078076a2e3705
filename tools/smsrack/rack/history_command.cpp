// `smsrack history`: what the rack or one modem did, hour by hour.
#include "src/base/time_text.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"
#include "tools/smsrack/screen/table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <vector>

namespace smsrack::cli {
namespace {

struct HistoryOptions {
    std::string since = "24h";
    std::string step = "1h";
    std::string modem = {};
};

/// "########" for the largest, shorter for others; at least one mark for what is not 0.
std::string bar_of(std::int64_t value, std::int64_t largest) {
    constexpr std::int64_t bar_columns = 20;
    const std::int64_t marks = value > 0 ? (value * bar_columns + largest - 1) / largest : 0;
    return marks == 0 ? "." : std::string(static_cast<std::size_t>(marks), '#');
}

/// Of each step; nullopt where it is null.
using Values = std::vector<std::optional<std::int64_t>>;

Values values_of(const wire::Json& series, const char* name) {
    Values values;
    for (const wire::Json& value : array_of(series, name)) {
        values.push_back(value.is_number() ? std::optional(value.get<std::int64_t>())
                                           : std::nullopt);
    }
    return values;
}

std::string cell_of(const Values& values, std::size_t step) {
    return step < values.size() && values[step] ? fmt::to_string(*values[step]) : "";
}

std::int64_t sum_of(const Values& values) {
    return std::accumulate(
        values.begin(), values.end(), std::int64_t{0},
        [](std::int64_t sum, const auto& value) { return sum + value.value_or(0); });
}

/// `series`: of the rack, or of one modem.
std::string table_of_steps(const wire::Json& history, const wire::Json& series, Context& context) {
    const bool is_modem = series.contains("signal_dbm");
    Table table({{context.times.heading("FROM")},
                 {"SENT", Align::right},
                 {"FAILED", Align::right},
                 {"RECEIVED", Align::right},
                 {is_modem ? "SIGNAL" : "WAITING", Align::right},
                 {"SENT, AS A BAR", Align::left, 1}});
    const Values sent = values_of(series, "sent");
    const Values failed = values_of(series, "failed");
    const Values received = values_of(series, "received");
    const Values last = values_of(series, is_modem ? "signal_dbm" : "waiting");
    const std::int64_t largest = sent.empty() ? 0 : std::ranges::max(sent).value_or(0);
    const WallTime from = time_of(text_of(history, "from")).value_or(WallTime{});
    const WallTime to = time_of(text_of(history, "to")).value_or(WallTime{});
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const auto step = static_cast<std::int64_t>(i);
        const WallTime at = from + (to - from) / std::ssize(sent) * step;
        table.add({context.times.to_seconds(time_text(at)), cell_of(sent, i), cell_of(failed, i),
                   cell_of(received, i), cell_of(last, i), bar_of(sent[i].value_or(0), largest)});
    }
    return table.text(context.console, "No minute of that time is over yet.") +
           fmt::format("\nIn all: {} sent, {} failed, {} received.\n", sum_of(sent), sum_of(failed),
                       sum_of(received));
}

Outcome<> show_history(const HistoryOptions& options, Context& context) {
    const std::string target =
        query("/v1/history", {{"from", time_before(options.since, RealClock().wall())},
                              {"step", options.step},
                              {"modem", options.modem}});
    return report(Service(context.socket).get(target), context, [&](const wire::Json& history) {
        const wire::Json& modems = array_of(history, "modems");
        const bool one = !options.modem.empty() && !modems.empty();
        return table_of_steps(history, one ? modems[0] : object_of(history, "all"), context);
    });
}

}  // namespace

void declare_history(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"history",
                         "show what was sent, failed and received, hour by hour",
                         {"history", "history --since 1h --step 1m", "history --modem m1"}},
                        show_history);
    app.add_option("--since", options.since, "since when: an RFC 3339 time, or an age such as 7d")
        ->capture_default_str();
    app.add_option("--step", options.step, "length of a row: 1m, 5m, 1h or 1d")
        ->check(CLI::IsMember({"1m", "5m", "1h", "1d"}))
        ->capture_default_str();
    app.add_option("--modem", options.modem, "of this modem alone, with its signal in dBm");
}

}  // namespace smsrack::cli
