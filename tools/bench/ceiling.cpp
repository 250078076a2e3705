// How fast are modems that take no time? With a real baud rate the wire is the limit, and every moment that the service thinks, or
// waits for its disk, shows. Where octets take no time either, the machine is.
#include "tools/bench/line_run.hpp"
#include "tools/bench/questions.hpp"

#include <array>
#include <fmt/format.h>

namespace smsrack::bench {
namespace {

constexpr std::array racks{8U, 256U};  // where octets take no time

void add_paced(Report& report, const LineRun& run) {
    const auto milliseconds = [](std::string name, double value) {
        return Figure{.name = std::move(name), .value = value, .unit = "ms", .decimals = 3};
    };
    const LineFigures& gaps = run.service;
    report.figures = {
        {.name = "limit of the wire", .value = run.limit.value_or(0), .unit = "messages/s"},
        {.name = "ideal client without a store", .value = run.plain.rate, .unit = "messages/s"},
        {.name = "smsrackd",
         .value = run.service.rate,
         .unit = "messages/s",
         .goal = at_least(620)},
        milliseconds("answer to next command, median", gaps.command_gap_ms.p50),
        milliseconds("answer to next command, mean", gaps.command_gap_ms.mean),
        milliseconds("answer to next command, p99", gaps.command_gap_ms.p99),
        milliseconds("prompt to PDU, median", gaps.entry_gap_ms.p50),
        milliseconds("prompt to PDU, mean", gaps.entry_gap_ms.mean),
        milliseconds("prompt to PDU, p99", gaps.entry_gap_ms.p99),
        milliseconds("ideal client: both, mean",
                     run.plain.command_gap_ms.mean + run.plain.entry_gap_ms.mean)};
}

/// End to end: from the first that is handed in to the last that the network has, every change of a state on disk.
void add_unpaced(Report& report, const LineRun& run, unsigned modems) {
    report.figures.push_back({.name = fmt::format("{} modems, no pacing: ideal client", modems),
                              .value = run.plain.rate,
                              .unit = "messages/s"});
    report.figures.push_back({.name = fmt::format("{} modems, no pacing: smsrackd", modems),
                              .value = run.service.rate,
                              .unit = "messages/s",
                              .goal = at_least({}, 5'000)});
    report.notes.push_back(
        fmt::format("{} modems, no pacing: {} of {} messages were sent in {:.1f} s", modems,
                    run.sent, run.wanted, run.seconds));
}

Result<> add_run(const Context& context, const LinePlan& plan, Report& report) {
    Context own = context;
    own.folder /= fmt::format("{}-{}", plan.modems, plan.baud);
    const auto run = run_lines(own, plan);
    if (!run) {
        return std::unexpected(run.error());
    }
    if (plan.baud == 0) {
        add_unpaced(report, *run, plan.modems);
    } else {
        add_paced(report, *run);
    }
    report.conditions.push_back(conditions_of(plan).front());
    const auto of =
        fmt::format("{} modems, {}: ", plan.modems, plan.baud == 0 ? "no pacing" : "paced");
    report.notes.push_back(of + cores_text("smsrackd", run->service_used, run->seconds));
    report.notes.push_back(of + cores_text("smsrack-sim", run->modems_used, run->seconds));
    return {};
}

}  // namespace

Result<Report> ceiling(const Context& context) {
    LinePlan plan{.window = std::chrono::seconds(context.options.seconds.value_or(20))};
    Report report{.question = "ceiling"};
    if (auto done = add_run(context, plan, report); !done) {
        return std::unexpected(done.error());
    }
    plan.baud = 0;
    for (const unsigned modems : racks) {
        plan.modems = modems;
        if (auto done = add_run(context, plan, report); !done) {
            return std::unexpected(done.error());
        }
    }
    return report;
}

}  // namespace smsrack::bench
