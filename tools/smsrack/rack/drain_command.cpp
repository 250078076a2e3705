// `smsrack modem drain NAME` and `smsrack modem resume NAME`: take a modem out of work without a
// loss, and back.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <fmt/format.h>
#include <string_view>

namespace smsrack::cli {
namespace {

using std::chrono::milliseconds;

// For what the modem holds; a submit takes two minutes at most.
constexpr std::chrono::minutes wait_max{10};

struct ModemDrainOptions {
    std::string modem = {};
    bool no_wait = false;
};

std::string target_of(const std::string& modem, std::string_view call) {
    return fmt::format("/v1/modems/{}{}", client::percent_encoded(modem), call);
}

Outcome<> tell_modem(const Outcome<wire::Json>& answer, std::string_view words,
                     const std::string& modem, Context& context) {
    return report(about("modem", modem, answer), context, [&](const wire::Json&) {
        return fmt::format("{}: {}\n", printable(modem), words);
    });
}

/// Until the modem holds nothing, with progress. try_later: it still does after wait_max, or Ctrl-C
/// came; the modem stays blocked.
Outcome<> wait_until_drained(const ModemDrainOptions& options, Service& service,
                             const StopSignal& stop, Context& context) {
    constexpr milliseconds pause{200};
    const auto deadline = std::chrono::steady_clock::now() + wait_max;
    for (;;) {
        const auto line = service.get(target_of(options.modem, ""));
        if (!line && !service.interrupted()) {
            return tell_modem(line, "", options.modem, context);
        }
        if (line && truth_of(*line, "drained")) {
            context.console.end_progress();
            return tell_modem(line, "drained; it gets no work until `smsrack modem resume`",
                              options.modem, context);
        }
        if (line && text_of(*line, "manual") == "open") {
            return failure(ExitCode::failed, fmt::format("modem {}: it was resumed meanwhile",
                                                         printable(options.modem)));
        }
        const std::string held = line ? text_of(*line, "in_flight") : "";
        context.console.progress(fmt::format("{}: gets no new work; {} in flight ...",
                                             printable(options.modem), held.empty() ? "?" : held));
        if (service.interrupted() || stop.wait_for(pause) ||
            std::chrono::steady_clock::now() >= deadline) {
            context.console.end_progress();
            return failure(ExitCode::try_later,
                           fmt::format("modem {}: still sends a message; it stays blocked, "
                                       "`smsrack modems` shows when it is drained",
                                       printable(options.modem)));
        }
    }
}

Outcome<> drain(const ModemDrainOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    const auto answer =
        service.call({.method = "POST", .target = target_of(options.modem, "/drain")});
    if (!answer || options.no_wait) {
        return tell_modem(answer, "gets no new work; finishes what is in flight", options.modem,
                          context);
    }
    return wait_until_drained(options, service, stop, context);
}

Outcome<> resume_modem(const std::string& modem, Context& context) {
    return tell_modem(
        Service(context.socket).call({.method = "POST", .target = target_of(modem, "/resume")}),
        "open: it gets work again", modem, context);
}

}  // namespace

void declare_modem_drain(const CommandGroup& modem) {
    const auto command = modem.command(
        {"drain", "give it no new work, and wait until it is idle", {"modem drain m1"}}, drain);
    command.app.add_option("name", command.options.modem, "its name in the configuration")
        ->required();
    command.app.add_flag("--no-wait", command.options.no_wait, "do not wait until it is idle");
    modem.command({"resume", "give it work again", {"modem resume m1"}}, "name",
                  "its name in the configuration", resume_modem);
}

}  // namespace smsrack::cli
