// `smsrack optout list|add|remove`: the numbers that have opted out.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/cluster_words.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

struct OptOutListOptions {
    std::uint64_t limit = 100;
};

Outcome<> list_opt_outs(const OptOutListOptions& options, Context& context) {
    return print_list(
        {.target = "/v1/optouts?",
         .member = "optouts",
         .limit = options.limit,
         .if_empty = "No number has opted out."},
        Table({{"NUMBER"}, {context.times.heading("SINCE")}, {"BY"}}),
        [&](const wire::Json& row) -> std::vector<std::string> {
            const std::string inbox = text_of(row, "inbox");
            return {text_of(row, "number"), context.times.to_seconds(text_of(row, "since")),
                    inbox.empty() ? "a person" : "received message " + inbox};
        },
        context);
}

/// `changed`, `as_before`: what holds for the number now.
Outcome<> tell_change(const Outcome<wire::Json>& answer, const char* changed, const char* as_before,
                      Context& context) {
    return report(answer, context, [&](const wire::Json& row) {
        return fmt::format("{} {}{}\n", text_of(row, "number"),
                           truth_of(row, "changed") ? changed : as_before, here_only(row));
    });
}

Outcome<> add_opt_out(const std::string& number, Context& context) {
    return tell_change(Service(context.socket).post("/v1/optouts", {{"number", number}}),
                       "receives nothing more", "was already on the list", context);
}

Outcome<> remove_opt_out(const std::string& number, Context& context) {
    return tell_change(
        Service(context.socket)
            .call({.method = "DELETE", .target = "/v1/optouts/" + client::percent_encoded(number)}),
        "may receive messages again", "was not on the list", context);
}

}  // namespace

void declare_optout(const CommandGroup& program) {
    const CommandGroup optout = program.group("optout", "numbers that have opted out");
    const auto list = optout.command({"list", "all of them", {"optout list"}}, list_opt_outs);
    add_limit(list.app, list.options.limit);
    optout.command({"add", "send nothing more to this number", {"optout add +33612345678"}},
                   "number", "the number", add_opt_out);
    optout.command({"remove", "allow messages to it again", {"optout remove +33612345678"}},
                   "number", "the number", remove_opt_out);
}

}  // namespace smsrack::cli
