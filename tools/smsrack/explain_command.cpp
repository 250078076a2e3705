#include "tools/smsrack/explain_command.hpp"

#include "tools/smsrack/json_fields.hpp"
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
        const std::string dialogue = line.is_string() ? line.get<std::string>() : "";
        text += hanging("      ", printable(dialogue), columns);
    }
    return text;
}

}  // namespace

Outcome<> run(const ExplainOptions& options, Context& context) {
    const auto answer =
        Service(context.socket)
            .get("/v1/messages/" + client::percent_encoded(options.id) + "/explain");
    if (!answer) {
        return in_words(answer.error(), fmt::format("message {}: {}", printable(options.id),
                                                    answer.error().message));
    }
    if (context.json) {
        context.console.write(json_line(*answer) + "\n");
        return ExitCode::done;
    }
    context.console.write(fmt::format("Message {} is {}.\n\n", text_of(*answer, "id"),
                                      context.console.bold(text_of(*answer, "state"))));
    for (const wire::Json& step : array_of(*answer, "story")) {
        context.console.write(text_of_step(step, context));
    }
    context.console.write(context.console.bold("What happens next") + "\n" +
                          hanging(indent,
                                  printable(context.times.in_sentence(text_of(*answer, "next"))),
                                  context.console.traits().out_columns));
    return ExitCode::done;
}

}  // namespace smsrack::cli
