// How much of what eight modems can send do they send? Real modems take seconds for a submit; what
// a gateway loses between them it loses for good.
#include "tools/bench/line_run.hpp"
#include "tools/bench/questions.hpp"

namespace smsrack::bench {

Result<Report> saturation(const Context& context) {
    const LinePlan plan{.service = std::chrono::milliseconds(500),
                        .window = std::chrono::seconds(context.options.seconds.value_or(30))};
    const auto run = run_lines(context, plan);
    if (!run) {
        return std::unexpected(run.error());
    }
    return Report{.question = "saturation",
                  .conditions = conditions_of(plan),
                  .figures = {{.name = "limit of wire and modems",
                               .value = run->limit.value_or(0),
                               .unit = "messages/s",
                               .decimals = 2},
                              {.name = "ideal client without a store",
                               .value = run->plain.rate,
                               .unit = "messages/s",
                               .decimals = 2},
                              {.name = "smsrackd",
                               .value = run->service.rate,
                               .unit = "messages/s",
                               .decimals = 2,
                               .goal = at_least(15.5)},
                              {.name = "answer to next command, median",
                               .value = run->service.command_gap_ms.p50,
                               .unit = "ms",
                               .decimals = 3,
                               .goal = at_most(1.5)},
                              {.name = "the same, ideal client",
                               .value = run->plain.command_gap_ms.p50,
                               .unit = "ms",
                               .decimals = 3},
                              {.name = "prompt to PDU, median",
                               .value = run->service.entry_gap_ms.p50,
                               .unit = "ms",
                               .decimals = 3}}};
}

}  // namespace smsrack::bench
