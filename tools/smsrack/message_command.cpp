// `smsrack show ID`, `smsrack explain ID`, `smsrack cancel ID`, `smsrack again ID`: one message.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/messages/box_argument.hpp"
#include "tools/smsrack/messages/send_command.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/json_table.hpp"
#include "tools/smsrack/screen/wrap.hpp"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::cli {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view indent = "    ";
constexpr std::array message_members{
    "id"sv,         "to"sv,         "state"sv,           "partial"sv,
    "text"sv,       "data"sv,       "segments"sv,        "modem"sv,
    "code"sv,       "ref"sv,        "priority"sv,        "group"sv,
    "report"sv,     "class"sv,      "attempts"sv,        "created_at"sv,
    "updated_at"sv, "not_before"sv, "next_attempt_at"sv, "expires_at"sv};
constexpr std::array history_members{"at"sv,    "state"sv,   "segment"sv, "attempt"sv,
                                     "modem"sv, "tp_mr"sv,   "code"sv,    "cause"sv,
                                     "class"sv, "outcome"sv, "detail"sv};

/// Calls /v1/messages/ID and prints the words of its answer.
Outcome<> call_message(const std::string& id, const char* method, const std::string& behind,
                       Context& context,
                       const std::function<std::string(const wire::Json&)>& words) {
    const auto answer =
        Service(context.socket)
            .call({.method = method,
                   .target = "/v1/messages/" + client::percent_encoded(id) + behind});
    return report(about("message", id, answer), context, words);
}

std::string words_of_message(const wire::Json& message, const Context& context) {
    std::string text =
        pairs_text(pairs_of(message, message_members, context.times), context.console);
    for (const std::string_view name : {"history"sv, "attempts"sv, "segment_states"sv}) {
        const wire::Json& rows = array_of(message, name);
        if (!rows.empty()) {
            text += fmt::format(
                "\n{}\n{}", context.console.bold(name),
                table_of(rows, history_members, context.times).text(context.console, ""));
        }
    }
    return text;
}

struct ShowOptions {
    std::string id = {};
    std::string box = {};
};

Outcome<> show_message(const ShowOptions& options, Context& context) {
    return call_message(
        options.id, "GET", box_query(options.box), context,
        [&](const wire::Json& message) { return words_of_message(message, context); });
}

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

std::string explanation_of(const wire::Json& message, const Context& context) {
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

Outcome<> explain(const ShowOptions& options, Context& context) {
    return call_message(
        options.id, "GET", "/explain" + box_query(options.box), context,
        [&](const wire::Json& message) { return explanation_of(message, context); });
}

Outcome<> cancel_message(const std::string& id, Context& context) {
    return call_message(id, "DELETE", "", context, [&](const wire::Json& message) {
        return fmt::format("{} {}\n", id, text_of(message, "state"));
    });
}

struct AgainOptions {
    std::string id = {};
    bool allow_duplicate = false;
};

Outcome<> send_again(const AgainOptions& options, Context& context) {
    const auto answer = Service(context.socket)
                            .post("/v1/messages/" + client::percent_encoded(options.id) + "/again",
                                  {{"allow_duplicate", options.allow_duplicate}});
    return report(about("message", options.id, answer), context, accepted_words);
}

}  // namespace

void declare_message(const CommandGroup& program) {
    const auto show =
        program.command({"show", "one message and its history", {"show 42"}}, show_message);
    const auto explains = program.command(
        {"explain", "explain a message's history in words, and what to do", {"explain 42"}},
        explain);
    for (const auto& [app, options] :
         {std::pair(&show.app, &show.options), std::pair(&explains.app, &explains.options)}) {
        app->add_option("id", options->id, "the message")->required();
        add_box(*app, options->box);
    }
    program.command({"cancel", "cancel a message that is still queued", {"cancel 42"}}, "id",
                    "the message", cancel_message);
    const auto again = program.command({"again",
                                        "send a message that has ended again, as a new message",
                                        {"again 42", "again 42 --allow-duplicate"}},
                                       send_again);
    again.app.add_option("id", again.options.id, "the message")->required();
    again.app.add_flag("--allow-duplicate", again.options.allow_duplicate,
                       "even if the recipient has it, or may have it");
}

}  // namespace smsrack::cli
