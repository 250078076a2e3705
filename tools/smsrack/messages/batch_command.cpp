// `smsrack batches`: lists batches with their counts; `smsrack batch cancel B`: cancels one.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/cluster_words.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/pages.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <initializer_list>

namespace smsrack::cli {
namespace {

constexpr std::chrono::milliseconds look_again{200};  // a step of the service takes about ten

struct BatchesOptions {
    std::uint64_t limit = 100;
};

std::uint64_t sum_of(const wire::Json& batch, std::initializer_list<const char*> states) {
    std::uint64_t sum = 0;
    for (const char* state : states) {
        sum += count_of(object_of(batch, "messages"), state);
    }
    return sum;
}

std::string condition_of(const wire::Json& batch) {
    if (truth_of(batch, "cancelling")) {
        return "cancelling";
    }
    return !text_of(batch, "cancelled_at").empty()   ? "cancelled"
           : !text_of(batch, "paused_since").empty() ? "paused"
                                                     : "";
}

/// Until no row is left to look at. The service continues with it even if this program ends.
Outcome<wire::Json> follow(Service& service, wire::Json batch, const std::string& target,
                           Context& context, const StopSignal& stop) {
    const std::uint64_t total = count_of(batch, "total");
    ProgressBar bar(context.console, total);
    while (truth_of(batch, "cancelling")) {
        const auto waiting = sum_of(batch, {"scheduled", "queued", "sending"});
        bar.show(total - std::min(total, waiting), fmt::format("{} still wait", waiting));
        if (stop.wait_for(look_again)) {
            return failure(ExitCode::failed, "interrupted; the service continues to cancel it");
        }
        auto next = service.get(target);
        if (!next) {
            return next;
        }
        batch = std::move(*next);
    }
    return batch;
}

Outcome<> list_batches(const BatchesOptions& options, Context& context) {
    return print_list(
        {.target = "/v1/batches?",
         .member = "batches",
         .limit = options.limit,
         .if_empty = "No batches."},
        Table({{"BATCH"},
               {"TOTAL", Align::right, 1},
               {"WAITING", Align::right},
               {"SENT", Align::right},
               {"DELIVERED", Align::right},
               {"FAILED", Align::right},
               {"CANCELLED", Align::right, 2},
               {"STATE"},
               {context.times.heading("CREATED"), Align::left, 3}}),
        [&](const wire::Json& batch) -> std::vector<std::string> {
            const auto count = [&](std::initializer_list<const char*> states) {
                return std::to_string(sum_of(batch, states));
            };
            return {text_of(batch, "batch"),
                    text_of(batch, "total"),
                    count({"scheduled", "queued", "sending", "uncertain", "elsewhere"}),
                    count({"sent"}),
                    count({"delivered"}),
                    count({"undelivered", "failed", "expired"}),
                    count({"cancelled"}),
                    condition_of(batch),
                    context.times.to_seconds(text_of(batch, "created_at"))};
        },
        context);
}

struct BatchCancelOptions {
    std::string name = {};
    bool create = false;
};

Outcome<> cancel_batch(const BatchCancelOptions& options, Context& context) {
    const std::string& name = options.name;
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    const std::string target = "/v1/batches/" + client::percent_encoded(name);
    auto answer = service.call(
        {.method = "DELETE", .target = target + (options.create ? "?create=true" : "")});
    const std::string where = answer ? here_only(*answer) : "";
    if (answer) {
        answer = follow(service, std::move(*answer), target, context, stop);
    }
    return report(about("batch", name, std::move(answer)), context, [&](const wire::Json& batch) {
        const auto elsewhere = sum_of(batch, {"elsewhere"});
        return fmt::format(
            "{}: {} of {} cancelled; {} had been sent or were in flight{}{}\n", printable(name),
            sum_of(batch, {"cancelled"}), text_of(batch, "total"),
            sum_of(batch, {"sending", "uncertain", "sent", "delivered", "undelivered"}),
            elsewhere > 0 ? fmt::format("; {} end when a box of the fleet takes them", elsewhere)
                          : std::string(),
            where);
    });
}

}  // namespace

void declare_batches(const CommandGroup& program) {
    const auto list = program.command(
        {"batches", "list batches of messages, with their counts", {"batches"}}, list_batches);
    add_limit(list.app, list.options.limit);
    const auto cancel = program.group("batch", "one batch")
                            .command({"cancel",
                                      "cancel all its messages that were not sent, with progress",
                                      {"batch cancel spring"}},
                                     cancel_batch);
    cancel.app.add_option("batch", cancel.options.name, "its label")->required();
    cancel.app.add_flag("--create", cancel.options.create,
                        "even if no message of this box has it, as in a fleet");
}

}  // namespace smsrack::cli
