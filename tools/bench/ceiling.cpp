// How fast are eight modems that take no time? Then the wire is the limit, and every moment that
// the service thinks, or waits for its disk, shows.
#include "tools/bench/line_run.hpp"
#include "tools/bench/questions.hpp"

namespace smsrack::bench {

Result<Report> ceiling(const Context& context) {
    const LinePlan plan{.window = std::chrono::seconds(context.options.seconds.value_or(20))};
    const auto run = run_lines(context, plan);
    if (!run) {
        return std::unexpected(run.error());
    }
    const double seconds = std::chrono::duration<double>(plan.window).count();
    const auto milliseconds = [](std::string name, double value) {
        return Figure{.name = std::move(name), .value = value, .unit = "ms", .decimals = 3};
    };
    const LineFigures& gaps = run->service;
    return Report{
        .question = "ceiling",
        .conditions = conditions_of(plan),
        .figures = {{.name = "limit of the wire", .value = run->limit, .unit = "messages/s"},
                    {.name = "ideal client without a store",
                     .value = run->plain.rate,
                     .unit = "messages/s"},
                    {.name = "smsrackd",
                     .value = run->service.rate,
                     .unit = "messages/s",
                     .goal = at_least(620)},
                    milliseconds("answer to next command, median", gaps.command_gap_ms.p50),
                    milliseconds("answer to next command, mean", gaps.command_gap_ms.mean),
                    milliseconds("answer to next command, p99", gaps.command_gap_ms.p99),
                    milliseconds("prompt to PDU, median", gaps.entry_gap_ms.p50),
                    milliseconds("prompt to PDU, mean", gaps.entry_gap_ms.mean),
                    milliseconds("prompt to PDU, p99", gaps.entry_gap_ms.p99),
                    milliseconds("ideal client: both, mean",
                                 run->plain.command_gap_ms.mean + run->plain.entry_gap_ms.mean)},
        .notes = {cores_text("smsrackd", run->service_used, seconds),
                  cores_text("smsrack-sim", run->modems_used, seconds)}};
}

}  // namespace smsrack::bench
