#include "tools/smsrack/messages_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/pages.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/table.hpp"
#include "tools/smsrack/time_argument.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

std::string target_of(const MessagesOptions& options) {
    std::string target = "/v1/messages?";
    const auto add = [&target](const char* name, const std::string& value) {
        if (!value.empty()) {
            target += fmt::format("{}={}&", name, client::percent_encoded(value));
        }
    };
    add("state", options.state);
    add("to", options.to);
    add("ref", options.ref);
    add("batch", options.batch);
    add("client", options.client);
    add("since", time_before(options.since, RealClock().wall()));
    return target;
}

/// On a terminal as many as it shows: the newest come first, and would be the first to scroll away.
std::uint64_t limit_of(const MessagesOptions& options, const Context& context) {
    constexpr std::uint64_t other_rows = 5;  // the command, heading, two notes, the next prompt
    constexpr std::uint64_t least = 10;
    constexpr std::uint64_t usual = 100;
    const std::uint64_t rows = context.json ? 0 : context.console.traits().out_rows;
    return options.limit.value_or(
        rows == 0 ? usual : std::clamp(rows, least + other_rows, usual) - other_rows);
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

void add_message(Table& table, const wire::Json& message, const TimeStyle& times) {
    table.add({text_of(message, "id"), text_of(message, "to"),
               text_of(message, "state") + (truth_of(message, "partial") ? " (partial)" : ""),
               text_of(message, "priority"), text_of(message, "segments"),
               text_of(message, "modem"), text_of(message, "code"),
               times.to_seconds(text_of(message, "created_at")),
               times.to_seconds(text_of(message, "updated_at"))});
}

Outcome<> run(const MessagesOptions& options, Context& context) {
    Service service(context.socket);
    const std::uint64_t limit = limit_of(options, context);
    Table table = table_of_messages(context.times);
    wire::Json all = wire::Json::array();
    const auto rest = each_of_pages(service, target_of(options), "messages", limit,
                                    [&](const wire::Json& message) {
                                        if (context.json) {
                                            all.push_back(message);
                                            return;
                                        }
                                        add_message(table, message, context.times);
                                    });
    if (!rest) {
        return std::unexpected(rest.error());
    }
    if (context.json) {
        const wire::Json next = rest->empty() ? wire::Json() : wire::Json(*rest);
        context.console.write(json_line({{"messages", std::move(all)}, {"next", next}}) + "\n");
        return ExitCode::done;
    }
    context.console.write(table.text(context.console, "No messages."));
    if (!rest->empty()) {
        context.console.note(fmt::format("There are more: --limit {} shows them.", limit * 10));
    }
    return ExitCode::done;
}

}  // namespace smsrack::cli
