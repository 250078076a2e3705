#include "tools/smsrack/trigger_trace_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

std::string names_of(const wire::Json& names) {
    std::string text;
    for (const wire::Json& name : names) {
        text += text.empty() ? "" : ", ";
        text += name.is_string() ? printable(name.get<std::string>()) : "";
    }
    return text;
}

std::string message_lines(const wire::Json& pair, const TimeStyle& times) {
    const std::string id = text_of(pair, "message_id");
    const wire::Json& message = object_of(pair, "message");
    if (id.empty()) {
        return "";
    }
    if (message.empty()) {
        return fmt::format("  message {}: not kept any more\n", id);
    }
    std::string lines = fmt::format("  message {}: {}\n", id, text_of(message, "state"));
    for (const wire::Json& event : array_of(message, "history")) {
        const std::string modem = text_of(event, "modem");
        const std::string cause = text_of(event, "cause");
        lines += fmt::format("    {}  {}{}{}\n", times.to_seconds(text_of(event, "at")),
                             printable(text_of(event, "state")),
                             modem.empty() ? "" : "  by " + printable(modem),
                             cause.empty() ? "" : "  " + printable(cause));
    }
    return lines;
}

std::string pair_lines(const wire::Json& pair, const TimeStyle& times) {
    std::string lines =
        fmt::format("{}: an event now is {}; {}\n", printable(text_of(pair, "topic")),
                    text_of(pair, "verdict"), printable(text_of(pair, "why")));
    const std::string claimed = text_of(pair, "claimed_at");
    lines += fmt::format("  filter {}, cache {}, index {}\n",
                         truth_of(pair, "in_filter") ? "knows it" : "does not know it",
                         truth_of(pair, "in_cache") ? "has it" : "does not have it",
                         claimed.empty()
                             ? "does not have it"
                             : fmt::format("has it since {} as {}", times.to_seconds(claimed),
                                           text_of(pair, "state")));
    return lines + message_lines(pair, times);
}

}  // namespace

Outcome<> run(const TriggerTraceOptions& options, Context& context) {
    std::string target =
        fmt::format("/v1/triggers/{}/trace?number={}", client::percent_encoded(options.name),
                    client::percent_encoded(options.number));
    if (!options.topic.empty()) {
        target += "&topic=" + client::percent_encoded(options.topic);
    }
    const auto trace = Service(context.socket).get(target);
    if (!trace) {
        return std::unexpected(trace.error());
    }
    if (context.json) {
        context.console.write(json_line(*trace) + "\n");
        return ExitCode::done;
    }
    const bool in_share = truth_of(*trace, "in_share");
    const std::string tags = names_of(array_of(*trace, "in_share_with_tags"));
    if (!in_share && tags.empty()) {
        context.console.write("the number is outside of the trigger's share: it gets nothing\n");
    } else if (!in_share) {
        context.console.write(
            fmt::format("the number is outside of the trigger's share, but for events with one of "
                        "these tags: {}\n",
                        tags));
    }
    const wire::Json& pairs = array_of(*trace, "pairs");
    for (const wire::Json& pair : pairs) {
        context.console.write(pair_lines(pair, context.times));
    }
    if (pairs.empty()) {
        context.console.write(
            in_share ? "nothing is known of this number: its first event would be new\n"
                     : "nothing is known of this number\n");
    }
    return ExitCode::done;
}

}  // namespace smsrack::cli
