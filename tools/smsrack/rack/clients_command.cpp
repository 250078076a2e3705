// `smsrack clients`, `smsrack client show|block|open|forget`: the named clients that submit messages.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

struct ClientsOptions {
    std::uint64_t limit = 1'000;
};

std::vector<std::string> cells_of_client(const wire::Json& row, const TimeStyle& times) {
    return {text_of(row, "name"),
            text_of(row, "link"),
            text_of(row, "manual"),
            text_of(row, "waiting"),
            text_of(row, "buffered"),
            text_of(row, "lost"),
            times.to_seconds(text_of(row, "seen_at"))};
}

Table table_of_clients(const TimeStyle& times) {
    return Table({{"CLIENT", Align::left, 0, Fit::wraps},
                  {"LINK"},
                  {"MANUAL"},
                  {"WAITING", Align::right},
                  {"BUFFERED", Align::right},
                  {"LOST", Align::right},
                  {times.heading("SEEN")}});
}

Outcome<> list_clients(const ClientsOptions& options, Context& context) {
    return print_list(
        {.target = "/v1/clients?",
         .member = "clients",
         .limit = options.limit,
         .if_empty = "No client has given its name yet.",
         .more = ""},
        table_of_clients(context.times),
        [&](const wire::Json& row) { return cells_of_client(row, context.times); }, context);
}

/// Calls /v1/clients/NAME and prints the words of its answer.
Outcome<> call_client(const std::string& name, const char* method, const char* behind,
                      Context& context,
                      const std::function<std::string(const wire::Json&)>& words) {
    return report(Service(context.socket)
                      .call({.method = method,
                             .target = "/v1/clients/" + client::percent_encoded(name) + behind}),
                  context, words);
}

/// Empty where no rule has refused anything.
std::string refusals_text(const wire::Json& client, const Context& context) {
    Table table({{"DAY (UTC)"},
                 {"REFUSED BY RULE"},
                 {"MESSAGES", Align::right},
                 {context.times.heading("FIRST")},
                 {context.times.heading("LAST")}});
    for (const wire::Json& row : array_of(client, "refusals")) {
        table.add({text_of(row, "day"), text_of(row, "rule"), text_of(row, "count"),
                   context.times.to_seconds(text_of(row, "first_at")),
                   context.times.to_seconds(text_of(row, "last_at"))});
    }
    return table.empty() ? std::string() : "\n" + table.text(context.console, "");
}

Outcome<> show_client(const std::string& name, Context& context) {
    return call_client(name, "GET", "", context, [&](const wire::Json& row) {
        Table table = table_of_clients(context.times);
        table.add(cells_of_client(row, context.times));
        return table.text(context.console, "") + refusals_text(row, context);
    });
}

Outcome<> block_client(const std::string& name, Context& context) {
    return call_client(name, "POST", "/block", context, [](const wire::Json& row) {
        return fmt::format("{}: its messages are refused from now on; its results are kept ({})\n",
                           text_of(row, "name"), text_of(row, "buffered"));
    });
}

Outcome<> open_client(const std::string& name, Context& context) {
    return call_client(name, "POST", "/open", context, [](const wire::Json& row) {
        return text_of(row, "name") + ": its messages are accepted again\n";
    });
}

Outcome<> forget_client(const std::string& name, Context& context) {
    return call_client(name, "DELETE", "", context, [](const wire::Json& row) {
        return fmt::format("{} is forgotten; {} results were discarded\n", text_of(row, "name"),
                           text_of(row, "buffered"));
    });
}

}  // namespace

void declare_clients(const CommandGroup& program) {
    const auto list = program.command(
        {"clients", "list named clients, and what waits for each", {"clients"}}, list_clients);
    add_limit(list.app, list.options.limit);
    const CommandGroup client = program.group("client", "one of them");
    client.command({"show", "what waits for it, and what rules refused", {"client show billing"}},
                   "name", "its name", show_client);
    client.command({"block", "refuse its messages; keep its results", {"client block billing"}},
                   "name", "its name", block_client);
    client.command({"open", "accept its messages again", {"client open billing"}}, "name",
                   "its name", open_client);
    client.command({"forget", "discard its results", {"client forget billing"}}, "name", "its name",
                   forget_client);
}

}  // namespace smsrack::cli
