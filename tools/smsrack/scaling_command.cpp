#include "tools/smsrack/scaling_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"
#include "tools/smsrack/table.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

std::string rate_of(const wire::Json& object, const char* member, const char* if_absent) {
    const auto rate = number_of(object, member);
    return rate ? fmt::format("{:.3g}/s", *rate) : if_absent;
}

std::string seconds_of(const wire::Json& object, const char* member, const char* if_absent) {
    const auto seconds = number_of(object, member);
    return seconds ? fmt::format("{:.1f} s", *seconds) : if_absent;
}

std::string names_of(const wire::Json& names) {
    std::string text;
    for (const wire::Json& name : names) {
        text += text.empty() ? "" : " ";
        text += name.is_string() ? printable(name.get<std::string>()) : "";
    }
    return text.empty() ? "none" : text;
}

}  // namespace

Outcome<> run(const ScalingOptions& options, Context& context) {
    const auto scaling =
        Service(context.socket).get(fmt::format("/v1/scaling?limit={}", options.limit));
    if (!scaling) {
        return std::unexpected(scaling.error());
    }
    if (context.json) {
        context.console.write(json_line(*scaling) + "\n");
        return ExitCode::done;
    }
    const bool enabled = truth_of(*scaling, "enabled");
    context.console.write(pairs_text(
        {{"controller", enabled ? "on, policy " + text_of(*scaling, "policy")
                                : "off ([scaling] enabled); modems are not parked"},
         {"modems in work",
          enabled ? fmt::format("{} (from {} to {})", text_of(*scaling, "n"),
                                text_of(*scaling, "n_min"), text_of(*scaling, "n_max"))
                  : text_of(*scaling, "n")},
         {"parked", names_of(array_of(*scaling, "parked"))},
         {"ready after", seconds_of(*scaling, "t_ready_s", "none of the parked modems is healthy")},
         {"load", rate_of(*scaling, "load", "")},
         {"arrivals", text_of(object_of(*scaling, "arrivals"), "words")},
         {"a modem carries", rate_of(*scaling, "node_rate", "not learned yet")},
         {"expected", rate_of(*scaling, "forecast", "no history of this hour yet")}},
        context.console));
    Table decisions({{context.times.heading("AT")},
                     {"LOAD", Align::right},
                     {"MODEMS, AND WHY", Align::left, 0, Fit::wraps}});
    for (const wire::Json& decision : array_of(*scaling, "decisions")) {
        decisions.add({context.times.to_seconds(text_of(decision, "at")),
                       rate_of(decision, "load", ""), text_of(decision, "why")});
    }
    context.console.write("\n" + decisions.text(context.console, "No decision was made yet."));
    return ExitCode::done;
}

}  // namespace smsrack::cli
