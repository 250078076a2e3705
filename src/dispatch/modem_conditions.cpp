#include "src/dispatch/modem_conditions.hpp"

#include "src/base/time_text.hpp"
#include "src/ports/fallback.hpp"
#include "src/ports/modem_reason.hpp"

#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

namespace smsrack::dispatch {
namespace {

using ports::Condition;
using ports::ConditionKind;
using ports::LineView;
using ports::ModemReason;
using ports::Stops;

/// A modem that starts, restarts or looks for its network needs up to a minute.
constexpr std::chrono::seconds passes_within{60};
/// Percent of the SIM's places: the line logs from there on, too.
constexpr int sim_alarm = 80;

const ModemReason& row_of(const LineView& line) {
    const ModemReason* const row = ports::find_modem_reason(reason_of(line));
    return row == nullptr ? ports::other_modem_reason : *row;
}

Condition not_ready(const LineView& line) {
    const ModemReason& row = row_of(line);
    return {.kind = row.kind,
            .text = fmt::format(
                "modem {}: {}", line.name,
                line.detail.empty() ? "not ready (" + reason_of(line) + ")" : line.detail),
            .advice = ports::advice_for(row, line.name),
            .stops = Stops::modem,
            .patience = row.passes ? passes_within : std::chrono::seconds{0}};
}

std::string until_text(std::optional<WallTime> until) {
    return until ? " until " + time_text(*until) : "";
}

Condition cooling(const LineView& line) {
    return {.kind = ConditionKind::modem_cooling,
            .text = fmt::format("modem {}: carrier or network refused its SIM several times in a "
                                "row; it rests{}",
                                line.name, until_text(line.pause->until)),
            .advice = ports::advice_for(row_of(line), line.name),
            .stops = Stops::modem};
}

/// The quota of a minute or an hour is a pace: it is spent many times a day.
std::optional<Condition> quota_spent(const LineView& line) {
    if (!line.quota || !line.quota->pause || line.quota->pause->window < QuotaWindow::day) {
        return std::nullopt;
    }
    const ports::QuotaPause& pause = *line.quota->pause;
    return Condition{
        .kind = ConditionKind::quota_spent,
        .text = fmt::format("modem {} has used up its quota of this {}; it rests{}", line.name,
                            quota_window_names.at(static_cast<std::size_t>(pause.window)),
                            until_text(pause.until)),
        .advice =
            "it sends again by itself; to send earlier, raise `quota` of this modem if its "
            "contract allows that, then `smsrack reload`",
        .stops = Stops::modem};
}

std::optional<Condition> sim_nearly_full(const LineView& line) {
    const int total = line.sim_total.value_or(0);
    const int used = line.sim_used.value_or(0);
    if (total <= 0 || used * 100 < total * sim_alarm) {
        return std::nullopt;
    }
    return Condition{
        .kind = ConditionKind::sim_nearly_full,
        .text = fmt::format("the SIM of modem {} is {}: {} of {} places are taken; the network "
                            "holds back what comes in while all are",
                            line.name, used < total ? "nearly full" : "full", used, total),
        .advice = fmt::format("what the service has stored it erases by itself; if this lasts, "
                              "`smsrack modem drain {}`, and erase the rest with the card in a "
                              "telephone",
                              line.name)};
}

std::optional<Condition> weak_signal(const LineView& line) {
    if (!line.signal_dbm || *line.signal_dbm >= ports::weak_signal_dbm) {
        return std::nullopt;
    }
    return Condition{.kind = ConditionKind::weak_signal,
                     .text = fmt::format("modem {} hears its network at {} dBm only; submits fail "
                                         "often below {} dBm",
                                         line.name, *line.signal_dbm, ports::weak_signal_dbm),
                     .advice = "check the antenna and its plug, or move it",
                     .patience = passes_within};
}

void add_fallbacks(const LineView& line, std::vector<Condition>& found) {
    for (const ports::FallbackRow& row : ports::fallback_rows) {
        if (line.fallbacks.*row.what) {
            found.push_back({.kind = row.kind,
                             .text = ports::with_name(row.text, line.name),
                             .advice = ports::with_name(row.advice, line.name)});
        }
    }
}

}  // namespace

bool is_drained(const LineView& line) {
    return line.manual == ports::ManualState::blocked && !line.parked;
}

bool is_cooling(const LineView& line) {
    return line.pause && line.pause->reason == "cooling";
}

bool is_parked_well(const LineView& line) {
    return line.parked && (line.listens_at || line.waking_since || line.reason == "waking");
}

std::string reason_of(const LineView& line) {
    if (!line.reason.empty()) {
        return line.reason;
    }
    return line.pause ? line.pause->reason : "not_active";
}

std::vector<Condition> modem_conditions(const LineView& line) {
    std::vector<Condition> found;
    if (is_drained(line)) {
        return found;
    }
    const auto add = [&found](std::optional<Condition> one) {
        if (one) {
            found.push_back(*std::move(one));
        }
    };
    const bool is_active = line.link == ports::LinkState::active;
    if (!is_active && !is_parked_well(line)) {
        add(not_ready(line));
    }
    if (is_active && is_cooling(line)) {
        add(cooling(line));
    }
    if (is_active) {
        add(quota_spent(line));
        add(weak_signal(line));
        add_fallbacks(line, found);
    }
    add(sim_nearly_full(line));
    for (Condition& one : found) {
        one.subject = "modem " + line.name;
    }
    return found;
}

}  // namespace smsrack::dispatch
