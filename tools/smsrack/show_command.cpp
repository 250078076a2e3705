// `smsrack show ID`: shows one message and its history.
#include "tools/smsrack/command_group.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/json_table.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/service.hpp"

#include <array>
#include <fmt/format.h>
#include <string_view>

namespace smsrack::cli {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array message_members{
    "id"sv,         "to"sv,         "state"sv,           "partial"sv,
    "text"sv,       "data"sv,       "segments"sv,        "modem"sv,
    "code"sv,       "ref"sv,        "priority"sv,        "group"sv,
    "report"sv,     "class"sv,      "attempts"sv,        "created_at"sv,
    "updated_at"sv, "not_before"sv, "next_attempt_at"sv, "expires_at"sv};
constexpr std::array history_members{"at"sv,    "state"sv,   "segment"sv, "attempt"sv,
                                     "modem"sv, "tp_mr"sv,   "code"sv,    "cause"sv,
                                     "class"sv, "outcome"sv, "detail"sv};

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

Outcome<> show_message(const std::string& id, Context& context) {
    const auto answer = Service(context.socket).get("/v1/messages/" + client::percent_encoded(id));
    return report(about("message", id, answer), context,
                  [&](const wire::Json& message) { return words_of_message(message, context); });
}

}  // namespace

void declare_show(const CommandGroup& program) {
    program.command({"show", "one message and its history", {"show 42"}}, "id", "the message",
                    show_message);
}

}  // namespace smsrack::cli
