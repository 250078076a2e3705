#include "tools/smsrack/messages_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/pages.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/table.hpp"
#include "tools/smsrack/time_argument.hpp"

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

}  // namespace

Outcome<> run(const MessagesOptions& options, Context& context) {
    Service service(context.socket);
    Table table({{"ID", Align::right},
                 {"TO"},
                 {"STATE"},
                 {"PRIO", Align::right},
                 {"SEG", Align::right},
                 {"MODEM"},
                 {"CODE"},
                 {"CREATED (UTC)"},
                 {"UPDATED (UTC)"}});
    wire::Json all = wire::Json::array();
    const auto rest = each_of_pages(
        service, target_of(options), "messages", options.limit, [&](const wire::Json& message) {
            if (context.json) {
                all.push_back(message);
                return;
            }
            table.add(
                {text_of(message, "id"), text_of(message, "to"),
                 text_of(message, "state") + (truth_of(message, "partial") ? " (partial)" : ""),
                 text_of(message, "priority"), text_of(message, "segments"),
                 text_of(message, "modem"), text_of(message, "code"),
                 short_time(text_of(message, "created_at")),
                 short_time(text_of(message, "updated_at"))});
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
        context.console.note(
            fmt::format("There are more: --limit {} shows them.", options.limit * 10));
    }
    return ExitCode::done;
}

}  // namespace smsrack::cli
