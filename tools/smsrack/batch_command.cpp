#include "tools/smsrack/batch_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/pages.hpp"
#include "tools/smsrack/progress_bar.hpp"
#include "tools/smsrack/service.hpp"
#include "tools/smsrack/stop_signal.hpp"
#include "tools/smsrack/table.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <initializer_list>

namespace smsrack::cli {
namespace {

constexpr std::chrono::milliseconds look_again{200};  // a step of the service takes about ten

std::uint64_t count_of(const wire::Json& batch, std::initializer_list<const char*> states) {
    double sum = 0;
    for (const char* state : states) {
        sum += number_of(object_of(batch, "messages"), state).value_or(0);
    }
    return static_cast<std::uint64_t>(sum);
}

std::string condition_of(const wire::Json& batch) {
    if (truth_of(batch, "cancelling")) {
        return "cancelling";
    }
    return !text_of(batch, "cancelled_at").empty()   ? "cancelled"
           : !text_of(batch, "paused_since").empty() ? "paused"
                                                     : "";
}

std::string target_of(const std::string& batch) {
    return "/v1/batches/" + client::percent_encoded(batch);
}

/// Until no row is left to look at. The service continues with it even if this program ends.
Outcome<wire::Json> follow(Service& service, wire::Json batch, const std::string& name,
                           Context& context, const StopSignal& stop) {
    ProgressBar bar(context.console,
                    static_cast<std::uint64_t>(number_of(batch, "total").value_or(0)));
    while (truth_of(batch, "cancelling")) {
        const auto waiting = count_of(batch, {"scheduled", "queued", "sending"});
        const auto total = static_cast<std::uint64_t>(number_of(batch, "total").value_or(0));
        bar.show(total - std::min(total, waiting), fmt::format("{} still wait", waiting));
        if (stop.wait_for(look_again)) {
            return failure(ExitCode::failed, "interrupted; the service continues to cancel it");
        }
        auto next = service.get(target_of(name));
        if (!next) {
            return next;
        }
        batch = std::move(*next);
    }
    return batch;
}

}  // namespace

Outcome<> run(const BatchesOptions& options, Context& context) {
    Service service(context.socket);
    Table table({{"BATCH"},
                 {"TOTAL", Align::right, 1},
                 {"WAITING", Align::right},
                 {"SENT", Align::right},
                 {"DELIVERED", Align::right},
                 {"FAILED", Align::right},
                 {"CANCELLED", Align::right, 2},
                 {"STATE"},
                 {context.times.heading("CREATED"), Align::left, 3}});
    wire::Json all = wire::Json::array();
    const auto rest = each_of_pages(
        service, "/v1/batches?", "batches", options.limit, [&](const wire::Json& batch) {
            if (context.json) {
                all.push_back(batch);
                return;
            }
            const auto count = [&](std::initializer_list<const char*> states) {
                return std::to_string(count_of(batch, states));
            };
            table.add({text_of(batch, "batch"), text_of(batch, "total"),
                       count({"scheduled", "queued", "sending", "uncertain"}), count({"sent"}),
                       count({"delivered"}), count({"undelivered", "failed", "expired"}),
                       count({"cancelled"}), condition_of(batch),
                       context.times.to_seconds(text_of(batch, "created_at"))});
        });
    if (!rest) {
        return std::unexpected(rest.error());
    }
    if (context.json) {
        const wire::Json next = rest->empty() ? wire::Json() : wire::Json(*rest);
        context.console.write(json_line({{"batches", std::move(all)}, {"next", next}}) + "\n");
        return ExitCode::done;
    }
    context.console.write(table.text(context.console, "No batches."));
    if (!rest->empty()) {
        context.console.note(
            fmt::format("There are more: --limit {} shows them.", options.limit * 10));
    }
    return ExitCode::done;
}

Outcome<> run(const BatchCancelOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    auto answer = service.call({.method = "DELETE", .target = target_of(options.batch)});
    if (answer) {
        answer = follow(service, std::move(*answer), options.batch, context, stop);
    }
    if (!answer) {
        return in_words(answer.error(), fmt::format("batch {}: {}", printable(options.batch),
                                                    answer.error().message));
    }
    context.console.write(
        context.json ? json_line(*answer) + "\n"
                     : fmt::format("{}: {} of {} cancelled; {} had been sent or were in flight\n",
                                   printable(options.batch), count_of(*answer, {"cancelled"}),
                                   text_of(*answer, "total"),
                                   count_of(*answer, {"sending", "uncertain", "sent", "delivered",
                                                      "undelivered"})));
    return ExitCode::done;
}

}  // namespace smsrack::cli
