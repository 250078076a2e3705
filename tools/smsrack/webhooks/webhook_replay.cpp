// `smsrack webhook replay`: sends events again.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/messages/time_argument.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <chrono>
#include <string>

namespace smsrack::cli {
namespace {

// Of a long time the service reads many events before it answers.
constexpr std::chrono::minutes patience{10};

struct ReplayOptions {
    std::string name = {};
    bool dead = false;
    std::string event = {};
    std::string since = {};
    std::string until = {};
};

wire::Json body_of(const ReplayOptions& options) {
    if (options.dead) {
        return {{"state", "dead"}};
    }
    if (!options.event.empty()) {
        return {{"event", options.event}};
    }
    const WallTime now = RealClock().wall();
    wire::Json body = {{"since", time_before(options.since, now)}};
    if (!options.until.empty()) {
        body["until"] = time_before(options.until, now);
    }
    return body;
}

Outcome<> replay(const ReplayOptions& options, Context& context) {
    Service service(context.socket, -1, patience);
    return report(
        about("webhook", options.name,
              service.post("/v1/webhooks/" + client::percent_encoded(options.name) + "/replay",
                           body_of(options))),
        context, [&](const wire::Json& answer) {
            return counted(count_of(answer, "events"), "event") + " sent again by webhook " +
                   options.name + "\n";
        });
}

}  // namespace

void declare_webhook_replay(const CommandGroup& webhook) {
    const auto declared =
        webhook.command({"replay",
                         "send events again, with the ids that they have",
                         {"webhook replay crm --dead", "webhook replay crm --since 2h --until 1h"}},
                        replay);
    ReplayOptions& options = declared.options;
    declared.app.add_option("name", options.name, "the webhook")->required();
    declared.app.add_flag("--dead", options.dead, "those that could not be delivered in time");
    declared.app.add_option("--event", options.event, "the event with this id");
    declared.app.add_option("--since", options.since,
                            "those since: an RFC 3339 time, or an age such as 1h");
    declared.app.add_option("--until", options.until, "with --since: those before");
    declared.check = [&options] {
        const int ways = (options.dead ? 1 : 0) + (options.event.empty() ? 0 : 1) +
                         (options.since.empty() ? 0 : 1);
        if (ways != 1) {
            throw CLI::ValidationError("exactly one of --dead, --event and --since is needed");
        }
        if (!options.until.empty() && options.since.empty()) {
            throw CLI::ValidationError("--until needs --since");
        }
    };
}

}  // namespace smsrack::cli
