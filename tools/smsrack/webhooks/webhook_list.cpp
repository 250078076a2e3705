// `smsrack webhook list`, `webhook show`: what waits for receivers, and what they were sent.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"
#include "tools/smsrack/webhooks/loss_words.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace smsrack::cli {
namespace {

/// "204", "HTTP 500", or the error in words.
std::string outcome_of(const wire::Json& delivery) {
    const wire::Json& attempts = array_of(delivery, "attempts");
    if (attempts.empty()) {
        return {};
    }
    const std::string status = text_of(attempts.back(), "status");
    return status.empty() ? text_of(attempts.back(), "error") : status;
}

void note_all(const std::vector<std::string>& sentences, Context& context) {
    for (const std::string& sentence : sentences) {
        if (!sentence.empty()) {
            context.console.note(sentence);
        }
    }
}

/// Of the webhook `name`, below a list of its events; empty: none, or the service does not say.
std::string loss_of(const std::string& name, const Context& context) {
    Service service(context.socket);
    const auto all = service.get("/v1/webhooks?limit=1000");
    if (all) {
        for (const wire::Json& webhook : array_of(*all, "webhooks")) {
            if (text_of(webhook, "name") == name) {
                return loss_words(webhook, context);
            }
        }
    }
    return {};
}

Outcome<> list_webhooks(Context& context) {
    std::vector<std::string> losses;
    auto listed = print_list(
        {.target = "/v1/webhooks?",
         .member = "webhooks",
         .limit = 1'000,
         .if_empty = "There is no [[webhook]] in the configuration.",
         .more = ""},
        Table({{"WEBHOOK", Align::left, 0, Fit::wraps},
               {"STATE"},
               {"WAITING", Align::right},
               {"DEAD", Align::right},
               {"LOST", Align::right, 1},
               {context.times.heading("OLDEST"), Align::left, 2},
               {"STATUS", Align::right},
               {"P50_MS", Align::right, 4},
               {"P99_MS", Align::right, 4},
               {"URL", Align::left, 3, Fit::wraps}}),
        [&](const wire::Json& row) -> std::vector<std::string> {
            losses.push_back(loss_words(row, context));
            return {text_of(row, "name"),        text_of(row, "state"),
                    text_of(row, "waiting"),     text_of(row, "dead"),
                    text_of(row, "lost"),        context.times.to_seconds(text_of(row, "oldest")),
                    text_of(row, "last_status"), text_of(row, "p50_ms"),
                    text_of(row, "p99_ms"),      text_of(row, "url")};
        },
        context);
    note_all(losses, context);
    return listed;
}

struct ShowOptions {
    std::string name = {};
    std::string state = {};
    std::string event = {};
    std::string message = {};
    std::string since = {};
    std::uint64_t limit = 100;
};

Outcome<> show_webhook(const ShowOptions& options, Context& context) {
    auto listed = print_list(
        {.target = query("/v1/webhooks/" + client::percent_encoded(options.name) + "/deliveries",
                         {{"state", options.state},
                          {"event", options.event},
                          {"message", options.message},
                          {"since", time_before(options.since, RealClock().wall())}}),
         .member = "deliveries",
         .limit = options.limit,
         .if_empty = "No such event was sent, or tried."},
        Table({{"EVENT", Align::right},
               {"TYPE"},
               {"MESSAGE", Align::right, 3},
               {"STATE"},
               {"TRIED", Align::right},
               {"OUTCOME", Align::left, 0, Fit::wraps},
               {context.times.heading("AT"), Align::left, 2},
               {context.times.heading("NEXT"), Align::left, 4}}),
        [&](const wire::Json& row) -> std::vector<std::string> {
            return {text_of(row, "event"),
                    text_of(row, "type"),
                    text_of(row, "message"),
                    text_of(row, "state"),
                    text_of(row, "attempts_made"),
                    outcome_of(row),
                    context.times.to_seconds(text_of(row, "at")),
                    context.times.to_seconds(text_of(row, "next_at"))};
        },
        context);
    if (listed && !context.json) {
        note_all({loss_of(options.name, context)}, context);
    }
    return listed;
}

}  // namespace

void declare_webhook_list(const CommandGroup& webhook) {
    webhook.command({"list", "list webhooks, and what waits for each", {"webhook list"}},
                    list_webhooks);
    const auto [app, options, check] = webhook.command(
        {"show",
         "list what it was sent, newest first",
         {"webhook show crm --state dead", "webhook show crm --message 4711 --json"}},
        show_webhook);
    app.add_option("name", options.name, "the webhook")->required();
    app.add_option("--state", options.state, "only waiting, delivered or dead events")
        ->check(CLI::IsMember({"waiting", "delivered", "dead"}));
    app.add_option("--event", options.event, "only the event with this id");
    app.add_option("--message", options.message, "only events of the message with this id");
    app.add_option("--since", options.since,
                   "only events since: an RFC 3339 time, or an age such as 1h");
    add_limit(app, options.limit);
}

}  // namespace smsrack::cli
