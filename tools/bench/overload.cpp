// Does a rack that gets too much keep what it accepts in time? More and more clients offer from
// half to four times what the modems can send; and the same without protection.
#include "tools/bench/overload_clients.hpp"
#include "tools/bench/questions.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace smsrack::bench {
namespace {

using std::chrono::steady_clock;

constexpr unsigned modems = 8;
constexpr double service_s = 0.25;
constexpr double capacity = modems / service_s;
constexpr std::array promised_s{8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0};  // T_max by level
// A campaign, some traffic, and one-time codes: at four times the capacity the upper two take 0.4 of it.
constexpr std::array<double, level_count> shares{0.9, 0, 0, 0.075, 0, 0, 0.025};
constexpr std::array levels{Level{6}, Level{3}, Level{0}};
constexpr std::array loads{0.5, 1.0, 2.0, 4.0};
constexpr std::array quick_loads{0.5, 2.0, 4.0};
constexpr double without_load = 2;
constexpr unsigned clients_a_load = 16;  // at the capacity; four times that at four times it
constexpr unsigned usual_seconds = 90;
constexpr unsigned quick_seconds = 30;
constexpr double bound_growth = 1.3;  // of the mean from twice to four times the capacity
constexpr double bound_kept = 95;     // of 100 that obey Retry-After
constexpr std::size_t few = 20;       // fewer say nothing
constexpr std::chrono::seconds drain_max(120);

std::string config_text(bool protect) {
    std::string sla;
    for (const double seconds : promised_s) {
        sla += fmt::format("{}{:.0f}", sla.empty() ? "" : ", ", 1e3 * seconds);
    }
    return fmt::format("[priority]\nsla_ms = [{}]\nprotect = {}\n", sla, protect);
}

struct Run {
    ClientResult clients = {};
    std::size_t lost = 0;
    std::size_t twice = 0;
    std::size_t not_accepted = 0;  ///< sent, without an acknowledgement
    /// Of the accepted, in order of their asking.
    std::map<Level, std::vector<double>> took_s = {};
};

Run compare(ClientResult clients, const rig::SimLog& log) {
    Run run;
    std::map<std::string, std::vector<SteadyTime>> taken;
    for (const rig::SimSubmit& submit : log.submits) {
        taken[submit.to].push_back(submit.at);
    }
    std::ranges::sort(clients.accepted, {}, &AcceptedMessage::at);
    for (const AcceptedMessage& message : clients.accepted) {
        const auto found = taken.find(message.to);
        if (found == taken.end()) {
            ++run.lost;
            continue;
        }
        run.twice += found->second.size() > 1 ? 1 : 0;
        run.took_s[message.level].push_back(
            std::chrono::duration<double>(found->second.front() - message.at).count());
        taken.erase(found);
    }
    run.not_accepted = taken.size();
    run.clients = std::move(clients);
    return run;
}

/// Until all that was accepted is sent.
Result<rig::SimLog> drained(const Context& context, const rig::Rack& rack, std::size_t accepted) {
    const SteadyTime deadline = steady_clock::now() + drain_max;
    while (true) {
        auto log = rig::read_sim_log(rack.sim_log());
        if (!log || log->submits.size() >= accepted || steady_clock::now() > deadline) {
            return log;
        }
        if (context.interrupt.rest(std::chrono::milliseconds(200))) {
            return rig::called_off();
        }
    }
}

Result<Run> run_load(const Context& context, double times, bool protect) {
    auto rack = rig::Rack::open(
        context.folder / fmt::format("{:.1f}{}", times, protect ? "" : "-without"),
        {.modems = modems,
         .sim_options = {"--service-ms", fmt::format("{:.0f}", 1e3 * service_s), "--service-dist",
                         "exp", "--baud", "0", "--report-ms", "-1"},
         .config = config_text(protect)},
        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    const unsigned seconds =
        context.options.seconds.value_or(context.options.quick ? quick_seconds : usual_seconds);
    auto clients =
        run_clients({.socket = (*rack)->socket(),
                     .clients = static_cast<unsigned>(std::max(1.0, clients_a_load * times)),
                     .per_second = times * capacity,
                     .lasting = std::chrono::seconds(seconds),
                     .shares = shares,
                     .seed = context.options.seed.value_or(1)},
                    context.interrupt);
    if (!clients) {
        return std::unexpected(clients.error());
    }
    const auto log = drained(context, **rack, clients->accepted.size());
    if (!log) {
        return std::unexpected(log.error());
    }
    return compare(*std::move(clients), *log);
}

/// A figure with a goal that must be met.
void add(Report& report, std::string name, double value, std::string unit, Goal goal = {},
         int decimals = 1) {
    report.figures.push_back({.name = std::move(name),
                              .value = value,
                              .unit = std::move(unit),
                              .decimals = decimals,
                              .goal = goal});
    const auto said = verdict(report.figures.back());
    report.broken = report.broken || said == "above" || said == "below";
}

void add_truth(Report& report, const std::string& at, const Run& run) {
    add(report, at + "accepted and never sent", static_cast<double>(run.lost), "", at_most(0), 0);
    add(report, at + "sent twice, or sent and not accepted",
        static_cast<double>(run.twice + run.not_accepted), "", at_most(0), 0);
}

void add_load(Report& report, double times, const Run& run, std::map<Level, double>& means) {
    const std::string at = fmt::format("{:.1f} times: ", times);
    const auto& clients = run.clients;
    add(report, at + "new messages offered", static_cast<double>(clients.offered), "", {}, 0);
    add(report, at + "accepted", static_cast<double>(clients.accepted.size()), "", {}, 0);
    add(report, at + "answers 503", static_cast<double>(clients.refused), "", {}, 0);
    for (const Level level : levels) {
        const auto found = run.took_s.find(level);
        if (found == run.took_s.end()) {
            continue;
        }
        const rig::Spread took = rig::spread_of(found->second);
        means[level] = took.mean;
        const std::string of = fmt::format("{}level {}, response time, ", at, level);
        add(report, of + "mean", took.mean, "s", at_most(promised_s.at(level)), 2);
        add(report, of + "p99", took.p99, "s", at_most(promised_s.at(level)), 2);
    }
    if (clients.obeyed >= few) {
        add(report, at + "obeyed Retry-After and were accepted, of 100",
            100.0 * static_cast<double>(clients.accepted_then) /
                static_cast<double>(clients.obeyed),
            fmt::format("({})", clients.obeyed), at_least(bound_kept));
    }
    add_truth(report, at, run);
}

/// Without protection: what comes later waits longer.
void add_without(Report& report, const Run& run) {
    const std::string at = fmt::format("{:.1f} times, protect = false: ", without_load);
    const auto& took = run.took_s.at(0);
    const std::size_t third = took.size() / 3;
    const double first =
        rig::spread_of({took.begin(), took.begin() + static_cast<std::ptrdiff_t>(third)}).mean;
    const double last =
        rig::spread_of({took.end() - static_cast<std::ptrdiff_t>(third), took.end()}).mean;
    add(report, at + "level 0, mean of the first third", first, "s", {}, 2);
    add(report, at + "level 0, mean of the last third", last, "s", {}, 2);
    add(report, at + "it grows: last over first", last / first, "", at_least(2));
    add_truth(report, at, run);
}

}  // namespace

Result<Report> overload(const Context& context) {
    Report report{
        .question = "overload",
        .conditions =
            {fmt::format("{} exponential modems of {:.0f} ms: {:.0f} messages/s; {} clients at the "
                         "capacity, more with the load; Poisson arrivals; half of the clients obey "
                         "Retry-After, the others give up",
                         modems, 1e3 * service_s, capacity, clients_a_load),
             "levels 0, 3 and 6 have 90, 7.5 and 2.5 % of the messages, and 8, 5 and 2 s"},
        .notes = {"response time: from the request that was accepted until the network took the "
                  "message"}};
    std::map<double, std::map<Level, double>> means;
    std::vector<double> all(loads.begin(), loads.end());
    if (context.options.quick) {
        all.assign(quick_loads.begin(), quick_loads.end());
    }
    for (const double times : all) {
        const auto run = run_load(context, times, true);
        if (!run) {
            return std::unexpected(run.error());
        }
        add_load(report, times, *run, means[times]);
    }
    for (const Level level : levels) {
        add(report, fmt::format("level {}: mean at 4 over mean at 2 times", level),
            means[4.0][level] / means[2.0][level], "", at_most(bound_growth), 2);
    }
    const auto without = run_load(context, without_load, false);
    if (!without) {
        return std::unexpected(without.error());
    }
    add_without(report, *without);
    return report;
}

}  // namespace smsrack::bench
