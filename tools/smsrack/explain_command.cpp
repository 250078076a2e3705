// `smsrack explain ID`: explains the history of one message in words.
#include "tools/smsrack/command_group.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/service.hpp"
#include "tools/smsrack/wrap.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace smsrack::cli {
namespace {

constexpr std::string_view indent = "    ";

std::string text_of_step(const wire::Json& step, const Context& context) {
    const std::size_t columns = context.console.traits().out_columns;
    const auto sentence = [&](const std::string& text) {
        return printable(context.times.in_sentence(text));
    };
    std::string text =
        context.console.bold(context.times.to_milliseconds(text_of(step, "at"))) + "\n";
    text += hanging(indent, sentence(text_of(step, "what")), columns);
    if (const std::string advice = text_of(step, "advice"); !advice.empty()) {
        text += hanging(indent, fmt::format("What to do: {}.", sentence(advice)), columns);
    }
    for (const wire::Json& line : array_of(step, "details")) {
        text += hanging("      ", printable(text_of(line)), columns);
    }
    return text;
}

std::string story_of(const wire::Json& message, const Context& context) {
    const Console& console = context.console;
    std::string text = fmt::format("Message {} is {}.\n\n", text_of(message, "id"),
                                   console.bold(text_of(message, "state")));
    for (const wire::Json& step : array_of(message, "story")) {
        text += text_of_step(step, context);
    }
    return text + console.bold("What happens next") + "\n" +
           hanging(indent, printable(context.times.in_sentence(text_of(message, "next"))),
                   console.traits().out_columns);
}

Outcome<> explain(const std::string& id, Context& context) {
    const auto answer =
        Service(context.socket).get("/v1/messages/" + client::percent_encoded(id) + "/explain");
    return report(about("message", id, answer), context,
                  [&](const wire::Json& message) { return story_of(message, context); });
}

}  // namespace

void declare_explain(const CommandGroup& program) {
    program.command(
        {"explain", "explain a message's history in words, and what to do", {"explain 42"}}, "id",
        "the message", explain);
}

}  // namespace smsrack::cli
