#include "tools/smsrack/explain_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"

#include <fmt/format.h>
#include <string_view>

namespace smsrack::cli {
namespace {

constexpr std::string_view indent = "    ";

/// "2026-11-21T02:31:21.123Z" -> "2026-11-21 02:31:21.123": milliseconds tell who came first.
std::string full_time(std::string time) {
    if (time.size() > 10 && time[10] == 'T') {
        time[10] = ' ';
    }
    if (time.ends_with('Z')) {
        time.pop_back();
    }
    return time;
}

std::string text_of_step(const wire::Json& step, const Console& console) {
    std::string text = fmt::format("{}\n{}{}\n", console.bold(full_time(text_of(step, "at"))),
                                   indent, printable(text_of(step, "what")));
    if (const std::string advice = text_of(step, "advice"); !advice.empty()) {
        text += fmt::format("{}What to do: {}.\n", indent, printable(advice));
    }
    for (const wire::Json& line : array_of(step, "details")) {
        text += fmt::format("{}  {}\n", indent,
                            printable(line.is_string() ? line.get<std::string>() : ""));
    }
    return text;
}

}  // namespace

Outcome<> run(const ExplainOptions& options, Context& context) {
    const auto answer =
        Service(context.socket)
            .get("/v1/messages/" + client::percent_encoded(options.id) + "/explain");
    if (!answer) {
        return failure(answer.error().code, fmt::format("message {}: {}", printable(options.id),
                                                        answer.error().message));
    }
    if (context.json) {
        context.console.write(json_line(*answer) + "\n");
        return ExitCode::done;
    }
    context.console.write(fmt::format("Message {} is {}.\n\n", text_of(*answer, "id"),
                                      context.console.bold(text_of(*answer, "state"))));
    for (const wire::Json& step : array_of(*answer, "story")) {
        context.console.write(text_of_step(step, context.console));
    }
    context.console.write(fmt::format("{}\n{}{}\n", context.console.bold("What happens next"),
                                      indent, printable(text_of(*answer, "next"))));
    return ExitCode::done;
}

}  // namespace smsrack::cli
