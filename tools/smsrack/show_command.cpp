#include "tools/smsrack/show_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/json_table.hpp"
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

}  // namespace

Outcome<> run(const ShowOptions& options, Context& context) {
    const auto message =
        Service(context.socket).get("/v1/messages/" + client::percent_encoded(options.id));
    if (!message) {
        return in_words(message.error(),
                        fmt::format("message {}: {}", options.id, message.error().message));
    }
    if (context.json) {
        context.console.write(json_line(*message) + "\n");
        return ExitCode::done;
    }
    context.console.write(
        pairs_text(pairs_of(*message, message_members, context.times), context.console));
    constexpr std::array lists{"history"sv, "attempts"sv, "segment_states"sv};
    for (const std::string_view name : lists) {
        const wire::Json& rows = array_of(*message, name);
        if (!rows.empty()) {
            context.console.write(fmt::format("\n{}\n", context.console.bold(name)));
            context.console.write(
                table_of(rows, history_members, context.times).text(context.console, ""));
        }
    }
    return ExitCode::done;
}

}  // namespace smsrack::cli
