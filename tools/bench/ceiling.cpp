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
                    milliseconds("answer to next command, median", run->service.command_gap_ms.p50),
                    milliseconds("the same, ideal client", run->plain.command_gap_ms.p50),
                    milliseconds("prompt to PDU, median", run->service.entry_gap_ms.p50),
                    milliseconds("prompt to PDU, p99", run->service.entry_gap_ms.p99),
                    milliseconds("the same, ideal client, median", run->plain.entry_gap_ms.p50)},
        .notes = {cores_text("smsrackd", run->service_used, seconds),
                  cores_text("smsrack-sim", run->modems_used, seconds)}};
}

}  // namespace smsrack::bench
