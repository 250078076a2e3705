#include "firmware-host/reload_plan.hpp"

#include "db/postgres/connect_plan.hpp"
#include "src/config/settings_show.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <utility>

namespace smsrack::host {
namespace {

using Shown = std::map<std::string, std::string, std::less<>>;

/// The part of a line before its comment, which begins behind a blank outside of quotes.
std::string_view without_comment(std::string_view line) {
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\') {
            ++i;
        } else if (line[i] == '"') {
            quoted = !quoted;
        } else if (line[i] == '#' && !quoted) {
            line = line.substr(0, i);
        }
    }
    const std::size_t end = line.find_last_not_of(' ');
    return line.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

/// Every setting by its name, as it is shown. A modem is known by its own name, a route by its place.
Shown shown(const config::Settings& settings) {
    const std::string text = config::settings_as_toml(settings);
    Shown values;
    std::string section;
    std::size_t modems = 0;
    std::size_t routes = 0;
    std::size_t triggers = 0;
    std::size_t clients = 0;
    std::size_t webhooks = 0;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = without_comment(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line == "[[modem]]") {
            section = fmt::format("modem {}: ", settings.modems.at(modems++).name);
        } else if (line == "[[route]]") {
            section = fmt::format("route {}: ", ++routes);
        } else if (line == "[[trigger]]") {
            section = fmt::format("trigger {}: ", settings.triggers.at(triggers++).name);
        } else if (line == "[[client]]") {
            section = fmt::format("client {}: ", settings.client_list.at(clients++).name);
        } else if (line == "[[webhook]]") {
            section = fmt::format("webhook {}: ", settings.webhooks.at(webhooks++).name);
        } else if (line.starts_with('[')) {
            section = fmt::format("{}.", line.substr(1, line.size() - 2));
        } else if (const std::size_t equals = line.find(" = "); equals != std::string_view::npos) {
            values.insert_or_assign(section + std::string(line.substr(0, equals)),
                                    std::string(line.substr(equals + 3)));
        }
    }
    return values;
}

const config::ModemSettings* find(const config::Settings& settings, const std::string& name) {
    const auto found = std::ranges::find(settings.modems, name, &config::ModemSettings::name);
    return found == settings.modems.end() ? nullptr : &*found;
}

/// What the process was started with, and other processes know it by.
bool needs_restart(std::string_view item) {
    constexpr std::array<std::string_view, 3> items{"service.state_dir", "service.socket",
                                                    "service.socket_mode"};
    return std::ranges::find(items, item) != items.end();
}

void compare(const Shown& now, const Shown& wanted, ReloadPlan& plan) {
    std::set<std::string, std::less<>> items;
    for (const auto& [item, value] : now) {
        const auto other = wanted.find(item);
        if (other == wanted.end() || other->second != value) {
            items.insert(item);
        }
    }
    for (const auto& [item, value] : wanted) {
        if (!now.contains(item)) {
            items.insert(item);
        }
    }
    for (const std::string& item : items) {
        (needs_restart(item) ? plan.needs_restart : plan.applied).push_back(item);
    }
}

/// One item for a modem that comes or goes, not one for each of its keys.
void name_whole_modem(std::vector<std::string>& items, const std::string& name,
                      std::string_view what) {
    const std::string prefix = fmt::format("modem {}: ", name);
    std::erase_if(items, [&](const std::string& item) { return item.starts_with(prefix); });
    items.push_back(prefix + std::string(what));
}

/// A file that is there now changes no setting, and yet the modem or trigger that waits for it must hear of it.
bool differ(const config::ConfigProblems& a, const config::ConfigProblems& b) {
    return !std::ranges::equal(a, b, {}, &config::ConfigProblem::message,
                               &config::ConfigProblem::message);
}

/// A file with a fault does not close a trigger that runs: it continues with what it read before.
Result<> keeps_triggers(const Configuration& wanted, const std::string& file) {
    for (std::size_t i = 0; i < wanted.triggers.size(); ++i) {
        if (!wanted.triggers[i].closed.empty()) {
            return fail(
                Errc::bad_request,
                config::problem_line(file, {.line = wanted.settings.triggers[i].source_line,
                                            .key = "trigger." + wanted.triggers[i].closed_key,
                                            .message = wanted.triggers[i].closed}));
        }
    }
    return {};
}

/// Files change without a change of their setting.
void name_files(const config::Settings& settings, std::vector<std::string>& items) {
    if (!settings.service.error_table.empty()) {
        items.emplace_back("service.error_table: read again");
    }
    for (const config::TriggerSettings& trigger : settings.triggers) {
        if (trigger.topics) {
            items.push_back("trigger " + trigger.name + ": topics: read again");
        }
        if (trigger.cells) {
            items.push_back("trigger " + trigger.name + ": cells: read again");
        }
    }
}

}  // namespace

ReloadPlan plan_reload(const config::Settings& now, config::Settings& wanted) {
    ReloadPlan plan;
    compare(shown(now), shown(wanted), plan);
    for (const config::ModemSettings& modem : now.modems) {
        const config::ModemSettings* const then = find(wanted, modem.name);
        if (then == nullptr) {
            name_whole_modem(plan.applied, modem.name, "removed");
        }
        if (then == nullptr || then->port != modem.port || then->line.baud != modem.line.baud ||
            then->line.fast_baud != modem.line.fast_baud) {
            plan.ending.insert(modem.name);
        }
    }
    for (const config::ModemSettings& modem : wanted.modems) {
        if (find(now, modem.name) == nullptr) {
            name_whole_modem(plan.applied, modem.name, "new");
        }
    }
    wanted.service.state_dir = now.service.state_dir;
    wanted.service.socket = now.service.socket;
    wanted.service.socket_mode = now.service.socket_mode;
    return plan;
}

Result<NewConfiguration> read_again(const std::string& file, const config::Settings& now,
                                    const config::ConfigProblems& warnings) {
    auto wanted = read_configuration(file);
    if (!wanted) {
        std::string lines = wanted.error().text();
        lines.pop_back();  // the last newline
        return fail(Errc::bad_request, std::move(lines));
    }
    if (auto good = keeps_triggers(*wanted, file); !good) {
        return std::unexpected(std::move(good.error()));
    }
    if (const auto& cluster = wanted->settings.cluster) {
        if (auto good = postgres::check_conninfo(cluster->engine); !good) {
            return fail(Errc::bad_request,
                        config::problem_line(file, {.line = cluster->source_line,
                                                    .key = "cluster.engine",
                                                    .message = good.error().context}));
        }
    }
    ReloadPlan plan = plan_reload(now, wanted->settings);
    name_files(wanted->settings, plan.applied);
    if (differ(wanted->warnings, warnings)) {
        plan.applied.emplace_back("files that were warned of: read again");
    }
    return NewConfiguration{*std::move(wanted), std::move(plan)};
}

}  // namespace smsrack::host
