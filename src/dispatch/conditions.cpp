#include "src/dispatch/conditions.hpp"

#include "src/dispatch/modem_conditions.hpp"
#include "src/ports/modem_reason.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::dispatch {
namespace {

using ports::Condition;
using ports::ConditionKind;
using ports::LineView;
using ports::Stops;

constexpr std::size_t names_max = 8;  // of modems in one sentence
// Conditions of single modems in the list, so that a rack of 256 modems without network does not fill every answer.
constexpr std::size_t of_modems_max = 24;
// Overload protection that refuses for a moment does what it is there for.
constexpr std::chrono::seconds overload_patience{60};

/// "m0 sim_pin, m1 sim_absent and 3 more".
std::string listed(std::vector<std::string> names) {
    const std::size_t more = names.size() > names_max ? names.size() - names_max : 0;
    names.resize(names.size() - more);
    return fmt::format("{}{}", fmt::join(names, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
}

bool is_able(const LineView& line) {
    return !is_cooling(line) && (line.link == ports::LinkState::active || is_parked_well(line));
}

bool has_sim_trouble(const LineView& line) {
    constexpr std::array<std::string_view, 2> refusals{"denied", "roaming"};
    return is_cooling(line) || line.life == ports::LineLife::sim_wait ||
           line.reason.starts_with("sim_") ||
           std::ranges::find(refusals, line.reason) != refusals.end();
}

/// What keeps a group from sending.
enum class Lack : std::uint8_t { none, paused, drained, sim, other };

using LineViews = std::vector<const LineView*>;

Lack lack_of(const LineViews& lines) {
    LineViews open;
    std::ranges::copy_if(lines, std::back_inserter(open),
                         [](const LineView* line) { return !is_drained(*line); });
    if (open.empty()) {
        return Lack::drained;
    }
    if (std::ranges::any_of(open, [](const LineView* line) { return is_able(*line); })) {
        return Lack::none;
    }
    return std::ranges::all_of(open, [](const LineView* line) { return has_sim_trouble(*line); })
               ? Lack::sim
               : Lack::other;
}

std::vector<std::string> names_of(const LineViews& lines) {
    std::vector<std::string> names;
    for (const LineView* line : lines) {
        names.push_back(line->name);
    }
    return names;
}

std::vector<std::string> reasons_of(const LineViews& lines) {
    std::vector<std::string> reasons;
    for (const LineView* line : lines) {
        if (!is_drained(*line)) {
            reasons.push_back(line->name + " " + reason_of(*line));
        }
    }
    return reasons;
}

/// The advice that all open modems have in common, before what holds for each.
std::string common_advice(const LineViews& lines, std::string_view for_each) {
    std::optional<std::string> common;
    for (const LineView* line : lines) {
        if (is_drained(*line)) {
            continue;
        }
        const ports::ModemReason* const row = ports::find_modem_reason(line->reason);
        const std::string advice(row == nullptr ? std::string_view() : row->advice);
        if (common.value_or(advice) != advice) {
            return std::string(for_each);
        }
        common = advice;
    }
    return common.value_or("").empty() ? std::string(for_each)
                                       : fmt::format("{}; {}", *common, for_each);
}

/// `whose`: "" of the rack, " of group NAME".
Condition lack_condition(Lack lack, const LineViews& lines, const std::string& whose) {
    const std::string some = lines.front()->name;
    switch (lack) {
        case Lack::drained:
            return {
                .kind = ConditionKind::modems_drained,
                .text = fmt::format("every modem{} is drained: {}", whose, listed(names_of(lines))),
                .advice = fmt::format("`smsrack modem resume {}` gives a modem work again", some)};
        case Lack::sim:
            return {
                .kind = ConditionKind::no_usable_sim,
                .text = fmt::format("no SIM{} can be used: {}", whose, listed(reasons_of(lines))),
                .advice = common_advice(
                    lines,
                    "`smsrack doctor` says what to do for each modem; a working SIM is used as "
                    "soon as it is inserted")};
        case Lack::other:
        case Lack::none:
        case Lack::paused:
            break;
    }
    return {.kind = ConditionKind::no_modem_can_send,
            .text = fmt::format("no modem{} can send: {}", whose, listed(reasons_of(lines))),
            .advice = common_advice(
                lines,
                "`smsrack doctor` says what to do for each modem; after a start, modems need up to "
                "a minute")};
}

const ports::Pause* pause_of_scope(const RackSeen& seen, ports::PauseScope scope,
                                   std::string_view name) {
    const auto found = std::ranges::find_if(seen.pauses, [&](const ports::Pause& pause) {
        return pause.scope == scope && pause.name == name && !pause.cancelled;
    });
    return found == seen.pauses.end() ? nullptr : &*found;
}

Condition rack_paused(const ports::Pause& pause) {
    return {.kind = ConditionKind::rack_paused,
            .subject = "rack",
            .text = "the rack is paused: messages are accepted and wait",
            .advice = "`smsrack resume`",
            .stops = Stops::sending,
            .since = pause.since};
}

Condition group_paused(const ports::Pause& pause) {
    return {
        .kind = ConditionKind::group_paused,
        .subject = "group " + pause.name,
        .text = fmt::format("group {} is paused: its messages are accepted and wait", pause.name),
        .advice = fmt::format("`smsrack resume --group {}`", pause.name),
        .stops = Stops::group,
        .since = pause.since};
}

struct GroupSeen {
    LineViews lines = {};
    Lack lack = Lack::none;
    const ports::Pause* pause = nullptr;

    [[nodiscard]] bool sends() const { return lack == Lack::none && pause == nullptr; }
};

/// Each group that lacks something by itself, or the rack where all lack the same.
void add_groups(const RackSeen& seen, std::vector<Condition>& to) {
    std::map<std::string, GroupSeen> groups;
    LineViews all;
    for (const LineView& line : seen.lines) {
        groups[line.group].lines.push_back(&line);
        all.push_back(&line);
    }
    for (auto& [name, group] : groups) {
        group.lack = lack_of(group.lines);
        group.pause = pause_of_scope(seen, ports::PauseScope::group, name);
    }
    const bool none_sends =
        std::ranges::none_of(groups, [](const auto& group) { return group.second.sends(); });
    const Stops stops = none_sends ? Stops::sending : Stops::group;
    for (const auto& [name, group] : groups) {
        if (group.pause != nullptr) {
            to.push_back(group_paused(*group.pause));
            to.back().stops = stops;
        }
    }
    const Lack first = groups.begin()->second.lack;
    if (std::ranges::all_of(groups, [&](const auto& g) { return g.second.lack == first; })) {
        if (first != Lack::none) {
            to.push_back(lack_condition(first, all, ""));
            to.back().subject = "rack";
            to.back().stops = Stops::sending;
        }
        return;
    }
    for (const auto& [name, group] : groups) {
        if (group.lack != Lack::none) {
            to.push_back(lack_condition(group.lack, group.lines, " of group " + name));
            to.back().subject = "group " + name;
            to.back().stops = stops;
        }
    }
}

/// What is wrong with single modems, the gravest first.
void add_modems(const RackSeen& seen, std::vector<Condition>& to) {
    std::vector<Condition> found;
    for (const LineView& line : seen.lines) {
        std::ranges::move(modem_conditions(line), std::back_inserter(found));
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &Condition::stops);
    if (found.size() > of_modems_max) {
        std::vector<std::string> names;
        for (const Condition& one : std::span(found).subspan(of_modems_max)) {
            names.emplace_back(one.object().name);
        }
        const std::size_t more = names.size();
        found.resize(of_modems_max);
        found.push_back({.kind = ConditionKind::more_modems,
                         .subject = "rack",
                         .text = fmt::format("there are {} more such faults: of {}", more,
                                             listed(std::move(names))),
                         .advice = "`smsrack modems` shows all modems, and `smsrack doctor` what "
                                   "to do for each",
                         .stops = Stops::modem,
                         .patience = found.back().patience});
    }
    std::ranges::move(found, std::back_inserter(to));
}

void add_overload(const RackSeen& seen, std::vector<Condition>& to) {
    for (const ports::GroupLoad& group : seen.groups) {
        std::vector<std::string> levels;
        std::int64_t ahead = 0;
        for (Level level = 0; level < level_count; ++level) {
            if (group.levels.at(level).refuses) {
                levels.push_back(fmt::to_string(+level));
                ahead = std::max(ahead, group.levels.at(level).ahead);
            }
        }
        if (!levels.empty()) {
            to.push_back(
                {.kind = ConditionKind::overloaded,
                 .subject = "group " + group.name,
                 .text = fmt::format("group {} refuses messages of level {}: {} segments wait "
                                     "before them",
                                     group.name, fmt::join(levels, ", "), ahead),
                 .advice = "messages are accepted again as soon as enough is sent; if this comes "
                           "back, more modems are needed, or programs that send less at once: "
                           "`smsrack status` compares load and modems",
                 .patience = overload_patience});
        }
    }
}

Condition store_condition(const ports::StoreTrouble& trouble) {
    Condition condition{.subject = "disk", .stops = Stops::all, .since = trouble.since};
    const std::string_view reads =
        trouble.reads_only
            ? "; the service answers what only reads, and starts the modems as soon as it can write"
            : "";
    switch (trouble.fault) {
        case ports::StoreFault::full:
            condition.kind = ConditionKind::disk_full;
            condition.text =
                fmt::format("the disk is full; no message is accepted or sent{}", reads);
            condition.advice =
                "make room: `sudo du -xh --max-depth=2 / | sort -h | tail` shows what is large; "
                "the service resumes by itself";
            return condition;
        case ports::StoreFault::locked:
            condition.kind = ConditionKind::database_locked;
            condition.subject = "database";
            condition.text = fmt::format("another process holds the lock of the database: {}{}",
                                         trouble.why.context, reads);
            condition.advice =
                "end the process that is named, or let it finish; the service resumes by itself";
            return condition;
        case ports::StoreFault::failing:
            break;
    }
    condition.kind = ConditionKind::disk_failing;
    condition.text = fmt::format("the disk refuses writes ({}); no message is accepted or sent{}",
                                 trouble.why.context, reads);
    condition.advice =
        "`journalctl -k -p err` shows errors of the disk; also look for a read-only file system "
        "and a quota. The service resumes by itself when a write succeeds";
    return condition;
}

Condition clock_doubted() {
    return {.kind = ConditionKind::clock_not_believed,
            .subject = "clock",
            .text =
                "the machine's clock is behind the newest row of the database: times continue from "
                "that row until the clock is set",
            .advice =
                "set the clock: `sudo timedatectl set-ntp true`, or `sudo timedatectl "
                "set-time TIME`; a board without a battery needs NTP"};
}

bool is_of_disk(const Condition& condition) {
    return condition.subject == "disk";
}

}  // namespace

std::vector<Condition> conditions_of(const RackSeen& seen) {
    std::vector<Condition> conditions;
    if (seen.store) {
        conditions.push_back(store_condition(*seen.store));
    }
    const bool disk_told = std::ranges::any_of(conditions, is_of_disk);
    std::ranges::copy_if(seen.box, std::back_inserter(conditions),
                         [&](const Condition& one) { return !disk_told || !is_of_disk(one); });
    if (seen.clock_doubted) {
        conditions.push_back(clock_doubted());
    }
    if (const ports::Pause* pause = pause_of_scope(seen, ports::PauseScope::rack, "")) {
        conditions.push_back(rack_paused(*pause));
    }
    if (seen.lines.empty()) {
        conditions.push_back({.kind = ConditionKind::no_modem,
                              .subject = "rack",
                              .text = "no modem is configured",
                              .advice = "`smsrack slots` prints a [[modem]] entry for each modem "
                                        "it finds; then `smsrack reload`",
                              .stops = Stops::sending});
    } else if (!seen.store || !seen.store->reads_only) {  // else no modem was started
        add_groups(seen, conditions);
        add_overload(seen, conditions);
        add_modems(seen, conditions);
    }
    std::ranges::stable_sort(conditions, std::ranges::greater(), [](const Condition& one) {
        return std::pair(one.severity(), one.stops);
    });
    return conditions;
}

bool is_ready(const std::vector<Condition>& conditions) {
    return std::ranges::none_of(conditions, [](const Condition& one) {
        return one.stops == Stops::sending || one.stops == Stops::all;
    });
}

}  // namespace smsrack::dispatch
