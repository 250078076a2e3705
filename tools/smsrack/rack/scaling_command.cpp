// `smsrack scaling`: shows how many modems are working, and the last decisions in words.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

struct ScalingOptions {
    std::uint32_t limit = 20;  ///< decisions, the newest
};

std::string rate_of(const wire::Json& object, const char* member, const char* if_absent) {
    const auto rate = number_of(object, member);
    return rate ? fmt::format("{:.3g}/s", *rate) : if_absent;
}

std::string seconds_of(const wire::Json& object, const char* member, const char* if_absent) {
    const auto seconds = number_of(object, member);
    return seconds ? fmt::format("{:.1f} s", *seconds) : if_absent;
}

std::string words_of_scaling(const wire::Json& scaling, const Context& context) {
    const bool enabled = truth_of(scaling, "enabled");
    const std::string parked = joined_texts(array_of(scaling, "parked"), " ");
    const std::string pairs = pairs_text(
        {{"controller", enabled ? "on, policy " + text_of(scaling, "policy")
                                : "off ([scaling] enabled); modems are not parked"},
         {"modems in work", enabled
                                ? fmt::format("{} (from {} to {})", text_of(scaling, "n"),
                                              text_of(scaling, "n_min"), text_of(scaling, "n_max"))
                                : text_of(scaling, "n")},
         {"parked", parked.empty() ? "none" : parked},
         {"ready after", seconds_of(scaling, "t_ready_s", "none of the parked modems is healthy")},
         {"load", rate_of(scaling, "load", "")},
         {"arrivals", text_of(object_of(scaling, "arrivals"), "words")},
         {"a modem carries", rate_of(scaling, "node_rate", "not learned yet")},
         {"expected", rate_of(scaling, "forecast", "no history of this hour yet")}},
        context.console);
    Table decisions({{context.times.heading("AT")},
                     {"LOAD", Align::right},
                     {"MODEMS, AND WHY", Align::left, 0, Fit::wraps}});
    for (const wire::Json& decision : array_of(scaling, "decisions")) {
        decisions.add({context.times.to_seconds(text_of(decision, "at")),
                       rate_of(decision, "load", ""), text_of(decision, "why")});
    }
    return pairs + "\n" + decisions.text(context.console, "No decision was made yet.");
}

Outcome<> show_scaling(const ScalingOptions& options, Context& context) {
    return report(Service(context.socket).get(fmt::format("/v1/scaling?limit={}", options.limit)),
                  context,
                  [&](const wire::Json& scaling) { return words_of_scaling(scaling, context); });
}

}  // namespace

void declare_scaling(const CommandGroup& program) {
    const auto command = program.command(
        {"scaling", "show how many modems are working, and why", {"scaling --limit 50"}},
        show_scaling);
    command.app
        .add_option("--limit", command.options.limit, "show this many of the newest decisions")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
}

}  // namespace smsrack::cli
