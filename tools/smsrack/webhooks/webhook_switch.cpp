// `smsrack webhook test`, `webhook open`, `webhook off`.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <chrono>
#include <fmt/format.h>
#include <string>

namespace smsrack::cli {
namespace {

// The longest timeout_s of a webhook, and the service's own patience.
constexpr std::chrono::seconds test_patience{140};

Outcome<wire::Json> order(const std::string& name, const char* what, Context& context,
                          std::chrono::seconds patience = std::chrono::seconds(30)) {
    Service service(context.socket, -1, patience);
    return about("webhook", name,
                 service.call({.method = "POST",
                               .target = "/v1/webhooks/" + client::percent_encoded(name) + what}));
}

std::string words_of(const std::string& name, const wire::Json& report) {
    std::string words = "webhook " + name;
    if (const std::string address = text_of(report, "address"); !address.empty()) {
        words += " at " + address;
    }
    if (const std::string tls = text_of(report, "tls"); !tls.empty()) {
        words += ", " + tls;
    }
    const std::string status = text_of(report, "status");
    words += status.empty() ? ": " + text_of(report, "error")
                            : fmt::format(": HTTP {} in {} ms", status, text_of(report, "ms"));
    if (const std::string advice = text_of(report, "advice"); !advice.empty()) {
        words += "; " + advice;
    }
    return words;
}

Outcome<> test_webhook(const std::string& name, Context& context) {
    const auto report_of = order(name, "/test", context, test_patience);
    if (!report_of) {
        return std::unexpected(report_of.error());
    }
    const std::string words = words_of(name, *report_of);
    if (truth_of(*report_of, "ok")) {
        return report(*report_of, words + "\n", context);
    }
    if (context.json) {
        context.console.write(json_line(*report_of) + "\n");
    }
    return failure(ExitCode::failed, printable(words));
}

Outcome<> open_webhook(const std::string& name, Context& context) {
    return report(order(name, "/open", context), context, [](const wire::Json& row) {
        const std::string lost = text_of(row, "lost");
        return text_of(row, "name") + " is open; what waits for it is tried now\n" +
               (lost == "0" ? ""
                            : fmt::format("Of the events that keep_days removed before they were "
                                          "sent ({}), none is counted any more\n",
                                          lost));
    });
}

Outcome<> switch_off(const std::string& name, Context& context) {
    return report(order(name, "/off", context), context, [](const wire::Json& row) {
        return text_of(row, "name") + " is off; its events wait\n";
    });
}

}  // namespace

void declare_webhook_switch(const CommandGroup& webhook) {
    webhook.command({"test",
                     "call its receiver now, and report what it answers, or what is wrong",
                     {"webhook test crm"}},
                    "name", "the webhook", test_webhook);
    webhook.command({"open", "send its events again, and what waits at once", {"webhook open crm"}},
                    "name", "the webhook", open_webhook);
    webhook.command({"off", "send it nothing; its events wait", {"webhook off crm"}}, "name",
                    "the webhook", switch_off);
}

}  // namespace smsrack::cli
