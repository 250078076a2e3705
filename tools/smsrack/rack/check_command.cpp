// `smsrack check`: judges the rack for Nagios, Icinga and what takes their plugins: one line, performance data, and an exit
// status from 0 to 3. Its judgement is the service's own list of conditions; the options add limits.
#include "src/base/time_text.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto answers_within = 10s;  // such programs end a plugin after 10 to 60 s
constexpr auto failed_window = 1h;
constexpr std::size_t failed_rows_max = 1'000;  // one page

constexpr std::array<std::string_view, 4> grade_names{"OK", "WARNING", "CRITICAL", "UNKNOWN"};
/// The grades in their order of gravity, as exit status.
constexpr std::array grade_codes{ExitCode::done, ExitCode::warning, ExitCode::critical,
                                 ExitCode::unknown};
enum class Grade : std::uint8_t { ok, warning, critical, unknown };

/// Of "N": the critical limit; of "W,N" both.
struct Limits {
    std::optional<double> warning = {};
    std::optional<double> critical = {};
};

std::optional<double> number_in(const std::string& text) {
    double number = 0;
    return CLI::detail::lexical_cast(text, number) && number >= 0 ? std::optional(number)
                                                                  : std::nullopt;
}

/// nullopt: it is neither "N" nor "W,N".
std::optional<Limits> limits_in(const std::string& text) {
    if (text.empty()) {
        return Limits{};
    }
    const std::size_t comma = text.find(',');
    const auto critical = number_in(comma == std::string::npos ? text : text.substr(comma + 1));
    const auto warning =
        comma == std::string::npos ? std::nullopt : number_in(text.substr(0, comma));
    if (!critical || (comma != std::string::npos && !warning)) {
        return std::nullopt;
    }
    return Limits{warning, critical};
}

/// One measured value, as performance data has it.
struct Figure {
    std::string_view name;
    double value = 0;
    std::string_view unit = {};
    Limits limits = {};
    bool at_least = false;  ///< the limits are the fewest that are well, not the most
    int digits = 0;

    [[nodiscard]] bool is_beyond(std::optional<double> limit) const {
        return limit && (at_least ? value < *limit : value > *limit);
    }
    [[nodiscard]] Grade grade() const {
        return is_beyond(limits.critical)  ? Grade::critical
               : is_beyond(limits.warning) ? Grade::warning
                                           : Grade::ok;
    }
    [[nodiscard]] std::string limit_text(std::optional<double> limit) const {
        return limit ? fmt::format("{:g}{}", *limit, at_least ? ":" : "") : "";
    }
    /// "waiting=3;;10;0".
    [[nodiscard]] std::string text() const {
        return fmt::format("{}={:.{}f}{};{};{};0", name, value, digits, unit,
                           limit_text(limits.warning), limit_text(limits.critical));
    }
    /// Why it is not well: "waiting is 12, more than 10".
    [[nodiscard]] std::string complaint() const {
        const double limit =
            is_beyond(limits.critical) ? *limits.critical : limits.warning.value_or(0);
        return fmt::format("{} is {:.{}f}{}, {} than {:g}", name, value, digits, unit,
                           at_least ? "fewer" : "more", limit);
    }
};

struct CheckOptions {
    std::string waiting = {};
    std::string oldest = {};
    std::string modems = {};
    std::string failed_percent = {};
};

struct Verdict {
    Grade grade = Grade::ok;
    std::string text = {};  ///< of the one line, behind the grade
    std::vector<Figure> figures = {};
    wire::Json conditions = wire::Json::array();
};

bool takes_work(const wire::Json& modem) {
    return text_of(modem, "link") == "active" && text_of(modem, "manual") == "open" &&
           object_of(modem, "paused").empty();
}

double depth_of(const wire::Json& status) {
    double waiting = 0;
    for (const wire::Json& level : array_of(status, "levels")) {
        waiting += number_of(level, "depth").value_or(0);
    }
    return waiting;
}

/// Of the messages of the last hour that have ended, the newest thousand at most: the share that did not arrive.
double failed_percent_of(const wire::Json& page) {
    constexpr std::array<std::string_view, 3> lost{"failed", "expired", "undelivered"};
    constexpr std::array<std::string_view, 2> gone{"sent", "delivered"};
    const auto count = [&](const auto& states) {
        return static_cast<double>(
            std::ranges::count_if(array_of(page, "messages"), [&](const wire::Json& message) {
                return std::ranges::find(states, text_of(message, "state")) != states.end();
            }));
    };
    const double ended = count(lost) + count(gone);
    return ended > 0 ? 100 * count(lost) / ended : 0;
}

std::string target_of_failed() {
    return fmt::format("/v1/messages?since={}&limit={}",
                       client::percent_encoded(time_text(RealClock().wall() - failed_window)),
                       failed_rows_max);
}

Grade grade_of(const wire::Json& condition) {
    return text_of(condition, "severity") == "critical" ? Grade::critical : Grade::warning;
}

/// What the list of conditions and the figures come to.
void judge(Verdict& verdict) {
    std::vector<std::string> why;
    for (const wire::Json& one : verdict.conditions) {
        verdict.grade = std::max(verdict.grade, grade_of(one));
        why.push_back(text_of(one, "text"));
    }
    for (const Figure& figure : verdict.figures) {
        if (figure.grade() != Grade::ok) {
            verdict.grade = std::max(verdict.grade, figure.grade());
            why.push_back(figure.complaint());
        }
    }
    if (!why.empty()) {
        verdict.text += "; " + why.front();
    }
    if (why.size() > 1) {
        verdict.text += fmt::format(" (and {} more)", why.size() - 1);
    }
}

Outcome<Verdict> ask(const CheckOptions& options, Context& context) {
    Service service(context.socket, -1, answers_within);
    const auto status = service.get("/v1/status");
    const auto modems = status ? service.get("/v1/modems") : status;
    if (!modems) {
        return std::unexpected(modems.error());
    }
    const wire::Json& all = array_of(*modems, "modems");
    const auto working = std::ranges::count_if(all, takes_work);
    const double waiting = depth_of(*status);
    Verdict verdict{.text = fmt::format("{} of {} take work, {:.0f} wait", working,
                                        counted(all.size(), "modem"), waiting),
                    .conditions = array_of(*status, "conditions")};
    verdict.figures = {{.name = "waiting", .value = waiting, .limits = *limits_in(options.waiting)},
                       {.name = "oldest",
                        .value = number_of(*status, "oldest_waiting_s").value_or(0),
                        .unit = "s",
                        .limits = *limits_in(options.oldest)},
                       {.name = "modems",
                        .value = static_cast<double>(working),
                        .limits = *limits_in(options.modems),
                        .at_least = true}};
    if (!options.failed_percent.empty()) {
        const auto page = service.get(target_of_failed());
        if (!page) {
            return std::unexpected(page.error());
        }
        verdict.figures.push_back({.name = "failed_percent",
                                   .value = failed_percent_of(*page),
                                   .unit = "%",
                                   .limits = *limits_in(options.failed_percent),
                                   .digits = 1});
    }
    judge(verdict);
    return verdict;
}

/// A rack that does not answer is as bad as one that does not send: critical. After a refused question nothing is known of it.
Verdict verdict_of(const Failure& failure) {
    const bool is_away =
        failure.code == ExitCode::unreachable || failure.code == ExitCode::try_later;
    return {.grade = is_away ? Grade::critical : Grade::unknown, .text = failure.message};
}

/// "SMSRACK OK - 8 of 8 modems take work, 3 wait | waiting=3;;10;0". A "|" in the text would begin the performance data.
std::string line_of(const Verdict& verdict) {
    std::string text = printable(verdict.text);
    std::ranges::replace(text, '|', '/');
    std::ranges::replace(text, '\n', ' ');
    std::string figures;
    for (const Figure& figure : verdict.figures) {
        figures += " " + figure.text();
    }
    return fmt::format("SMSRACK {} - {}{}\n",
                       grade_names.at(static_cast<std::size_t>(verdict.grade)), text,
                       figures.empty() ? "" : " |" + figures);
}

wire::Json json_of(const Verdict& verdict) {
    wire::Json figures = wire::Json::object();
    for (const Figure& figure : verdict.figures) {
        figures[std::string(figure.name)] = figure.value;
    }
    return {{"state", grade_names.at(static_cast<std::size_t>(verdict.grade))},
            {"text", verdict.text},
            {"figures", std::move(figures)},
            {"conditions", verdict.conditions}};
}

Outcome<> check_rack(const CheckOptions& options, Context& context) {
    const auto asked = ask(options, context);
    const Verdict verdict = asked ? *asked : verdict_of(asked.error());
    (void)report(json_of(verdict), line_of(verdict), context);
    return grade_codes.at(static_cast<std::size_t>(verdict.grade));
}

}  // namespace

void declare_check(const CommandGroup& program) {
    const auto command = program.command(
        {"check",
         "judge the rack, as a plugin of Nagios or Icinga",
         {"check --waiting 500 --oldest 600 --modems 6", "check --waiting 100,500"}},
        check_rack);
    const auto limit = [&](const char* name, std::string& value, const char* what) {
        command.app.add_option(name, value, what)
            ->type_name("LIMIT")
            ->check(CLI::Validator(
                [](const std::string& text) {
                    return limits_in(text) ? std::string() : "not a number N, nor W,N: " + text;
                },
                ""));
    };
    limit("--waiting", command.options.waiting,
          "critical if more messages wait: N, or W,N with a warning beyond W");
    limit("--oldest", command.options.oldest, "critical if one waits for more seconds");
    limit("--modems", command.options.modems, "critical if fewer modems take work");
    limit("--failed-percent", command.options.failed_percent,
          "critical if more percent of the last hour failed");
}

}  // namespace smsrack::cli
