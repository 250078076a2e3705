#include "tools/smsrack/optout_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/pages.hpp"
#include "tools/smsrack/service.hpp"
#include "tools/smsrack/table.hpp"

#include <fmt/format.h>

namespace smsrack::cli {

Outcome<> run(const OptOutListOptions& options, Context& context) {
    Service service(context.socket);
    Table table({{"NUMBER"}, {context.times.heading("SINCE")}, {"BY"}});
    wire::Json all = wire::Json::array();
    const auto rest = each_of_pages(
        service, "/v1/optouts?", "optouts", options.limit, [&](const wire::Json& row) {
            if (context.json) {
                all.push_back(row);
                return;
            }
            const std::string inbox = text_of(row, "inbox");
            table.add({text_of(row, "number"), context.times.to_seconds(text_of(row, "since")),
                       inbox.empty() ? "a person" : "received message " + inbox});
        });
    if (!rest) {
        return std::unexpected(rest.error());
    }
    if (context.json) {
        const wire::Json next = rest->empty() ? wire::Json() : wire::Json(*rest);
        context.console.write(json_line({{"optouts", std::move(all)}, {"next", next}}) + "\n");
        return ExitCode::done;
    }
    context.console.write(table.text(context.console, "No number has opted out."));
    if (!rest->empty()) {
        context.console.note(
            fmt::format("There are more: --limit {} shows them.", options.limit * 10));
    }
    return ExitCode::done;
}

Outcome<> run(const OptOutChangeOptions& options, Context& context) {
    client::HttpCall call{.method = "DELETE",
                          .target = "/v1/optouts/" + client::percent_encoded(options.number)};
    if (!options.remove) {
        call = {.method = "POST",
                .target = "/v1/optouts",
                .headers = {{"Content-Type", "application/json"}},
                .body = json_line({{"number", options.number}})};
    }
    const auto answer = Service(context.socket).call(call);
    if (!answer) {
        return std::unexpected(answer.error());
    }
    const bool changed = truth_of(*answer, "changed");
    const char* const word = options.remove
                                 ? (changed ? "may receive messages again" : "was not on the list")
                                 : (changed ? "receives nothing more" : "was already on the list");
    context.console.write(context.json ? json_line(*answer) + "\n"
                                       : fmt::format("{} {}\n", text_of(*answer, "number"), word));
    return ExitCode::done;
}

}  // namespace smsrack::cli
