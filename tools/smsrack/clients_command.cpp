#include "tools/smsrack/clients_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/pages.hpp"
#include "tools/smsrack/service.hpp"
#include "tools/smsrack/table.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

void add_row(Table& table, const wire::Json& row, const TimeStyle& times) {
    table.add({text_of(row, "name"), text_of(row, "link"), text_of(row, "manual"),
               text_of(row, "waiting"), text_of(row, "buffered"), text_of(row, "lost"),
               times.to_seconds(text_of(row, "seen_at"))});
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

client::HttpCall call_of(const ClientOptions& options) {
    const std::string target = "/v1/clients/" + client::percent_encoded(options.name);
    switch (options.order) {
        case ClientOrder::block:
            return {.method = "POST", .target = target + "/block"};
        case ClientOrder::open:
            return {.method = "POST", .target = target + "/open"};
        case ClientOrder::forget:
            return {.method = "DELETE", .target = target};
        case ClientOrder::show:
            break;
    }
    return {.method = "GET", .target = target};
}

std::string words_of(ClientOrder order, const std::string& name, const wire::Json& row) {
    switch (order) {
        case ClientOrder::block:
            return fmt::format(
                "{}: its messages are refused from now on; its results are kept ({})\n", name,
                text_of(row, "buffered"));
        case ClientOrder::open:
            return fmt::format("{}: its messages are accepted again\n", name);
        case ClientOrder::forget:
            return fmt::format("{} is forgotten; {} results were discarded\n", name,
                               text_of(row, "buffered"));
        case ClientOrder::show:
            break;
    }
    return {};
}

}  // namespace

Outcome<> run(const ClientsOptions& options, Context& context) {
    Service service(context.socket);
    Table table = table_of_clients(context.times);
    wire::Json all = wire::Json::array();
    const auto rest = each_of_pages(service, "/v1/clients?", "clients", options.limit,
                                    [&](const wire::Json& row) {
                                        if (context.json) {
                                            all.push_back(row);
                                        } else {
                                            add_row(table, row, context.times);
                                        }
                                    });
    if (!rest) {
        return std::unexpected(rest.error());
    }
    if (context.json) {
        const wire::Json next = rest->empty() ? wire::Json() : wire::Json(*rest);
        context.console.write(json_line({{"clients", std::move(all)}, {"next", next}}) + "\n");
    } else {
        context.console.write(table.text(context.console, "No client has given its name yet."));
    }
    return ExitCode::done;
}

Outcome<> run(const ClientOptions& options, Context& context) {
    const auto answer = Service(context.socket).call(call_of(options));
    if (!answer) {
        return std::unexpected(answer.error());
    }
    if (context.json) {
        context.console.write(json_line(*answer) + "\n");
    } else if (options.order == ClientOrder::show) {
        Table table = table_of_clients(context.times);
        add_row(table, *answer, context.times);
        context.console.write(table.text(context.console, ""));
    } else {
        context.console.write(words_of(options.order, text_of(*answer, "name"), *answer));
    }
    return ExitCode::done;
}

}  // namespace smsrack::cli
