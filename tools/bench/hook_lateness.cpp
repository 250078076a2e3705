// How late does a receiver get an event: alone, and next to one that never answers?
#include "tools/bench/hook_parts.hpp"
#include "tools/bench/hook_run.hpp"
#include "tools/rig/http_load.hpp"
#include "tools/rig/spread.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::bench {
namespace {

constexpr unsigned usual_seconds = 20;
constexpr double messages_a_second = 20;
constexpr std::size_t events_each = 3;  // queued, sending, sent
constexpr std::size_t many_endpoints = 10;
constexpr double most_p50_ms = 5;
constexpr double most_p99_ms = 25;
// What the p99 of some hundred events differs by from run to run.
constexpr double unchanged = 1.25;

/// The end of an attempt does not wait for company in its commit: the bounds count from the commit.
constexpr std::string_view at_once = "[queue]\nshare_within_ms = 0\n";

HookPlan plan_of(std::size_t endpoints, std::string_view queue) {
    return {.endpoints = endpoints,
            .sim_options = {"--service-ms", "0", "--baud", "115200", "--report-ms", "-1"},
            .config = fmt::format("{}[priority]\nprotect = false\n", queue)};
}

/// Messages for a while; then the ages of the events that the receivers from `first` on got.
Result<std::vector<double>> ages_under_load(const Context& context, HookRun& run, std::size_t first,
                                            unsigned number) {
    for (std::size_t i = 0; i < run.endpoints(); ++i) {
        run.receiver(i).forget();
    }
    const unsigned seconds = context.options.seconds.value_or(usual_seconds);
    const auto messages = static_cast<std::size_t>(messages_a_second * seconds);
    const auto load = rig::run_load({.socket = run.rack().socket(),
                                     .arrivals = rig::even_arrivals(messages_a_second, messages),
                                     .run = number},
                                    context.interrupt);
    if (!load) {
        return std::unexpected(load.error());
    }
    std::vector<double> ages;
    for (std::size_t i = first; i < run.endpoints(); ++i) {
        if (auto came = run.wait_for_events(i, messages * events_each); !came) {
            return std::unexpected(std::move(came.error()));
        }
        const auto of_one = run.receiver(i).ages();
        if (of_one.size() < messages * events_each) {
            return fail(Errc::protocol,
                        fmt::format("{} of {} events came", of_one.size(), messages * events_each));
        }
        ages.insert(ages.end(), of_one.begin(), of_one.end());
    }
    return ages;
}

}  // namespace

Result<> hook_lateness(const Context& context, Report& report) {
    const auto spread_with = [&](const char* folder, std::string_view queue,
                                 unsigned number) -> Result<rig::Spread> {
        auto run = HookRun::start(context, folder, plan_of(1, queue));
        if (!run) {
            return std::unexpected(std::move(run.error()));
        }
        const auto ages = ages_under_load(context, **run, 0, number);
        if (!ages) {
            return std::unexpected(ages.error());
        }
        return rig::spread_of(*ages);
    };
    const auto spread = spread_with("one", at_once, 1);
    if (!spread) {
        return std::unexpected(spread.error());
    }
    const auto usual = spread_with("usual", "", 4);
    if (!usual) {
        return std::unexpected(usual.error());
    }
    report.figures.push_back({.name = "event to request, median",
                              .value = spread->p50,
                              .unit = "ms",
                              .goal = at_most(most_p50_ms)});
    report.figures.push_back({.name = "event to request, p99",
                              .value = spread->p99,
                              .unit = "ms",
                              .goal = at_most(most_p99_ms)});
    report.figures.push_back(
        {.name = "as it is set by default, median", .value = usual->p50, .unit = "ms"});
    report.figures.push_back(
        {.name = "as it is set by default, p99", .value = usual->p99, .unit = "ms"});
    return {};
}

Result<> hook_neighbours(const Context& context, Report& report) {
    auto run = HookRun::start(context, "ten", plan_of(many_endpoints, at_once));
    if (!run) {
        return std::unexpected(std::move(run.error()));
    }
    const auto well = ages_under_load(context, **run, 1, 2);
    if (!well) {
        return std::unexpected(well.error());
    }
    (*run)->receiver(0).be(HookReceiver::Manner::deaf);
    const auto beside = ages_under_load(context, **run, 1, 3);
    if (!beside) {
        return std::unexpected(beside.error());
    }
    const double before = rig::spread_of(*well).p99;
    const double after = rig::spread_of(*beside).p99;
    report.figures.push_back(
        {.name = "nine of ten endpoints, all well, p99", .value = before, .unit = "ms"});
    report.figures.push_back(
        {.name = "the same nine, the tenth deaf, p99", .value = after, .unit = "ms"});
    report.figures.push_back({.name = "of what it was",
                              .value = after / std::max(before, 1.0),
                              .unit = "",
                              .decimals = 2,
                              .goal = at_most(unchanged)});
    return {};
}

}  // namespace smsrack::bench
