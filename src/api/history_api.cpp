#include "src/api/calls.hpp"
#include "src/api/query.hpp"
#include "src/api/rack_json.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using ports::HistoryPoint;
using ports::HistorySeries;
using std::chrono::minutes;

struct Step {
    std::string_view name;
    std::int64_t length;  // minutes
};
constexpr std::array history_steps{Step{"1m", 1}, Step{"5m", 5}, Step{"1h", 60}, Step{"1d", 1440}};
constexpr std::int64_t an_hour = 60;

// Points of all series together: half a MiB of JSON, as much as a page of a list.
constexpr std::int64_t points_max = 16'384;
// A series has a name and other words too: a short one counts as much as this many points.
constexpr std::int64_t series_points_min = 16;

/// What is asked for. Times are minutes, rounded out to whole steps.
struct Window {
    Step step;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::string modem;

    [[nodiscard]] std::int64_t points(std::int64_t length) const { return (to - from) / length; }
    /// Series of steps of this length that are answered at most.
    [[nodiscard]] std::size_t series_max(std::int64_t length) const {
        return static_cast<std::size_t>(points_max / std::max(points(length), series_points_min));
    }
    /// Steps of the hour before, in which a value may have been written that still holds.
    [[nodiscard]] std::int64_t lead() const {
        return step.length < an_hour ? an_hour / step.length : 0;
    }
};

std::int64_t round_down(std::int64_t minute, std::int64_t step) {
    const std::int64_t behind = minute % step;
    return minute - (behind < 0 ? behind + step : behind);
}

Result<std::int64_t> minute_param(const Call& call, std::string_view name, std::int64_t if_absent) {
    const auto text = param(call.request, name);
    if (!text) {
        return if_absent;
    }
    const auto time = time_of(*text);
    if (!time) {
        return fail(Errc::bad_request, fmt::format("{}: {}", name, time.error().context));
    }
    return ports::minute_of(*time);
}

Result<Step> step_param(const Call& call) {
    const std::string_view name = param(call.request, "step").value_or("1h");
    const auto* const step = std::ranges::find(history_steps, name, &Step::name);
    if (step == history_steps.end()) {
        return fail(Errc::bad_request, "step: not 1m, 5m, 1h or 1d");
    }
    return *step;
}

/// Refuses more than points_max, and says what fits.
Result<> check_size(const Window& window, std::size_t series) {
    const auto fits = [&](const Step& step) { return series <= window.series_max(step.length); };
    if (fits(window.step)) {
        return {};
    }
    const auto* const step = std::ranges::find_if(history_steps, fits);
    return fail(
        Errc::bad_request,
        fmt::format("step: {} gives {} points in {} series, and at most {} are answered; {}",
                    window.step.name, window.points(window.step.length), series, points_max,
                    step != history_steps.end() ? fmt::format("step={} fits", step->name)
                                                : "name one modem, or ask for less time"));
}

/// The minute that it is now has no row yet: the last step ends before it.
Result<Window> window_of(const Call& call) {
    const WallTime now = call.parts.clock.wall();
    if (auto known = check_params(call.request, {"from", "to", "step", "modem"}); !known) {
        return std::unexpected(std::move(known.error()));
    }
    const auto step = step_param(call);
    const auto to = minute_param(call, "to", ports::minute_of(now));
    const auto from = minute_param(call, "from", to.value_or(0) - 24 * an_hour);
    if (!step || !to || !from) {
        return std::unexpected(!step ? step.error() : !to ? to.error() : from.error());
    }
    if (*from > *to) {
        return fail(Errc::bad_request, "from: it is after `to`");
    }
    const std::int64_t length = step->length;
    const std::int64_t end = std::min(*to, ports::minute_of(now));
    Window window{.step = *step, .from = round_down(*from, length), .to = 0, .modem = {}};
    window.to = std::max(window.from, round_down(end + length - 1, length));
    window.modem = param(call.request, "modem").value_or("");
    if (length < an_hour && window.from < ports::first_kept_minute(now)) {
        return fail(Errc::bad_request,
                    fmt::format("step: minutes are kept since {}; before, step=1h fits",
                                time_text(WallTime(minutes(ports::first_kept_minute(now))))));
    }
    return window;
}

/// A value holds until the next one is written, which takes an hour at most while the rack runs.
template <typename T>
void carry_on(std::vector<HistoryPoint>& points, std::optional<T> HistoryPoint::*value,
              std::int64_t steps) {
    std::int64_t since = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        since = points[i].*value ? 0 : since + 1;
        if (since > 0 && since < steps) {
            points[i].*value = points[i - 1].*value;
        }
    }
}

template <typename Read>
void append_values(wire::JsonWriter& json, std::string_view name,
                   const std::vector<HistoryPoint>& points, Read read) {
    json.array(name, points, [&](const HistoryPoint& point) {
        if (const auto value = read(point)) {
            json.value(*value);
        } else {
            json.null();
        }
    });
}

void append_counts(wire::JsonWriter& json, const std::vector<HistoryPoint>& points) {
    append_values(json, "sent", points, [](const auto& p) { return std::optional(p.sent); });
    append_values(json, "failed", points, [](const auto& p) { return std::optional(p.failed); });
    append_values(json, "received", points,
                  [](const auto& p) { return std::optional(p.received); });
}

/// 0 is no signal.
std::optional<int> signal_of(const HistoryPoint& point) {
    return point.signal.value_or(0) == 0 ? std::nullopt : point.signal;
}

std::string body_of(const Window& window, const std::vector<HistorySeries>& series) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("from", time_text(WallTime(minutes(window.from))));
        json.member("to", time_text(WallTime(minutes(window.to))));
        json.member("step", window.step.name);
        json.object("all", [&] {
            append_counts(json, series.front().points);
            append_values(json, "waiting", series.front().points,
                          [](const HistoryPoint& p) { return p.waiting; });
        });
        json.objects("modems", std::span(series).subspan(1), [&](const HistorySeries& one) {
            json.member("name", valid_text(one.line));
            append_counts(json, one.points);
            append_values(json, "signal_dbm", one.points, signal_of);
        });
    });
}

/// Names of the modems that are shown whether they have rows or not.
std::vector<std::string> names_of(const Call& call, const Window& window) {
    std::vector<std::string> names;
    for (const ports::LineView& line : call.parts.rack.lines()) {
        if (window.modem.empty() || window.modem == line.name) {
            names.push_back(line.name);
        }
    }
    return names;
}

/// The rack, the modems in the order of the configuration, then those that are no longer in it.
std::vector<HistorySeries> in_order(std::vector<HistorySeries> found,
                                    const std::vector<std::string>& names) {
    const std::size_t points = found.front().points.size();
    auto next = found.begin() + 1;
    for (const std::string& name : names) {
        auto at = std::ranges::find(next, found.end(), name, &HistorySeries::line);
        if (at == found.end()) {
            next = found.insert(next, {.line = name, .points = std::vector<HistoryPoint>(points)});
        } else {
            std::rotate(next, at, at + 1);
        }
        ++next;
    }
    return found;
}

/// Below an hour it is asked from an hour before, for the values that still hold.
ports::HistoryQuestion question_of(const Window& window) {
    const std::int64_t length = window.step.length;
    return {.from = window.from - window.lead() * length,
            .to = window.to,
            .step = length,
            .only = window.modem,
            .series_max = window.series_max(length)};
}

Result<std::string> history_text(ports::RackReader& reader, const Window& window,
                                 const std::vector<std::string>& names, const Error& unknown) {
    auto found = reader.history(question_of(window));
    if (!found) {
        return std::unexpected(std::move(found.error()));
    }
    auto series = in_order(*std::move(found), names);
    if (!window.modem.empty() && series.size() == 1) {
        return std::unexpected(unknown);
    }
    if (auto fits = check_size(window, series.size()); !fits) {
        return std::unexpected(std::move(fits.error()));
    }
    for (HistorySeries& one : series) {
        carry_on(one.points, &HistoryPoint::waiting, window.lead());
        carry_on(one.points, &HistoryPoint::signal, window.lead());
        one.points.erase(one.points.begin(), one.points.begin() + window.lead());
    }
    return body_of(window, series);
}

}  // namespace

void get_history(Call call) {
    auto window = window_of(call);
    if (!window) {
        return answer_problem(call, window.error());
    }
    auto names = names_of(call, *window);
    if (const auto fits = check_size(*window, names.size() + 1); !fits) {
        return answer_problem(call, fits.error());
    }
    call.argument = window->modem;
    call.parts.rack_store.ask(
        [window = *std::move(window), names = std::move(names), unknown = no_such_modem(call)](
            ports::RackReader& reader) { return history_text(reader, window, names, unknown); },
        answer_on_loop<std::string>(call, [](std::string& body) { return std::move(body); }));
}

}  // namespace smsrack::api
