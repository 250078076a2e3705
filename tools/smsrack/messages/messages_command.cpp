#include "tools/smsrack/messages/messages_command.hpp"

#include "src/sms/message_states.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/messages/box_argument.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"

#include <algorithm>
#include <optional>

namespace smsrack::cli {
namespace {

struct MessagesOptions {
    std::string state = {};
    std::string to = {};
    std::string ref = {};
    std::string batch = {};
    std::string client = {};
    std::string number = {};
    std::string text = {};
    std::string since = {};
    std::string box = {};
    std::optional<std::uint64_t> limit = {};  ///< none: what fits the terminal, else 100
};

/// On a terminal as many as it shows: the newest come first, and would be the first to scroll away.
std::uint64_t limit_of(const MessagesOptions& options, const Context& context) {
    constexpr std::uint64_t other_rows = 5;  // the command, heading, two notes, the next prompt
    constexpr std::uint64_t least = 10;
    constexpr std::uint64_t usual = 100;
    const std::uint64_t rows = context.json ? 0 : context.console.traits().out_rows;
    return options.limit.value_or(
        rows == 0 ? usual : std::clamp(rows, least + other_rows, usual) - other_rows);
}

Outcome<> list_messages(const MessagesOptions& options, Context& context) {
    return print_list(
        {.target =
             query("/v1/messages", {{"state", options.state},
                                    {"to", options.to},
                                    {"ref", options.ref},
                                    {"batch", options.batch},
                                    {"client", options.client},
                                    {"q", options.number},
                                    {"contains", options.text},
                                    {"box", options.box},
                                    {"since", time_before(options.since, RealClock().wall())}}),
         .member = "messages",
         .limit = limit_of(options, context),
         .if_empty = "No messages."},
        table_of_messages(context.times),
        [&](const wire::Json& message) { return cells_of_message(message, context.times); },
        context);
}

}  // namespace

Table table_of_messages(const TimeStyle& times) {
    return Table({{"ID", Align::right},
                  {"TO"},
                  {"STATE"},
                  {"PRIO", Align::right, 4},
                  {"SEG", Align::right, 3},
                  {"MODEM", Align::left, 1},
                  {"CODE"},
                  {times.heading("CREATED"), Align::left, 2},
                  {times.heading("UPDATED"), Align::left, 5}});
}

std::vector<std::string> cells_of_message(const wire::Json& message, const TimeStyle& times) {
    return {text_of(message, "id"),
            text_of(message, "to"),
            text_of(message, "state") + (truth_of(message, "partial") ? " (partial)" : ""),
            text_of(message, "priority"),
            text_of(message, "segments"),
            text_of(message, "modem"),
            text_of(message, "code"),
            times.to_seconds(text_of(message, "created_at")),
            times.to_seconds(text_of(message, "updated_at"))};
}

void add_state(CLI::App& app, std::string& state) {
    app.add_option("--state", state, "only those in this state")
        ->check(CLI::IsMember(
            std::vector<std::string>(message_state_names.begin(), message_state_names.end())));
}

void declare_messages(const CommandGroup& program) {
    const auto [app, options, check] =
        program.command({"messages",
                         "list messages, newest first",
                         {"messages --state failed --since 2026-11-21T00:00:00Z",
                          "messages --batch spring --json"}},
                        list_messages);
    add_state(app, options.state);
    app.add_option("--to", options.to, "only those to this number");
    app.add_option("--ref", options.ref, "only the one with this ref");
    app.add_option("--batch", options.batch, "only those of this batch");
    app.add_option("--client", options.client, "only those of this client");
    app.add_option("--number", options.number, "only those whose number has this part");
    app.add_option("--text", options.text, "only those whose text has this part");
    app.add_option("--since", options.since,
                   "only those accepted since: an RFC 3339 time, or an age such as 1h");
    add_box(app, options.box);
    app.add_option("--limit", options.limit,
                   "at most this many (default: what fits the terminal, else 100)")
        ->check(CLI::Range(1, 1'000'000'000));
}

}  // namespace smsrack::cli
