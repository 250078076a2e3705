// `smsrack trigger trace NAME NUMBER`: shows event -> verdict and why -> message -> report.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

struct TriggerTraceOptions {
    std::string name = {};
    std::string number = {};
    std::string topic = {};  ///< empty: all
};

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

std::string words_of_trace(const wire::Json& trace, const Context& context) {
    const bool in_share = truth_of(trace, "in_share");
    const std::string tags = joined_texts(array_of(trace, "in_share_with_tags"), ", ");
    std::string text;
    if (!in_share && tags.empty()) {
        text = "the number is outside of the trigger's share: it gets nothing\n";
    } else if (!in_share) {
        text = fmt::format(
            "the number is outside of the trigger's share, but for events with one of these tags: "
            "{}\n",
            tags);
    }
    const wire::Json& pairs = array_of(trace, "pairs");
    for (const wire::Json& pair : pairs) {
        text += pair_lines(pair, context.times);
    }
    if (pairs.empty()) {
        text += in_share ? "nothing is known of this number: its first event would be new\n"
                         : "nothing is known of this number\n";
    }
    return text;
}

Outcome<> trace_number(const TriggerTraceOptions& options, Context& context) {
    std::string target =
        fmt::format("/v1/triggers/{}/trace?number={}", client::percent_encoded(options.name),
                    client::percent_encoded(options.number));
    if (!options.topic.empty()) {
        target += "&topic=" + client::percent_encoded(options.topic);
    }
    return report(Service(context.socket).get(target), context,
                  [&](const wire::Json& trace) { return words_of_trace(trace, context); });
}

}  // namespace

void declare_trigger_trace(const CommandGroup& trigger) {
    const auto [app, options, check] =
        trigger.command({"trace",
                         "show what happened to a number: verdict, message, report",
                         {"trigger trace welcome +33612345678"}},
                        trace_number);
    app.add_option("name", options.name, "the trigger")->required();
    app.add_option("number", options.number, "the number")->required();
    app.add_option("--topic", options.topic, "only this topic");
}

}  // namespace smsrack::cli
