#include "tools/smsrack/drain_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <fmt/format.h>
#include <string_view>

namespace smsrack::cli {
namespace {

using std::chrono::milliseconds;

std::string target_of(const std::string& modem, std::string_view call) {
    return fmt::format("/v1/modems/{}{}", client::percent_encoded(modem), call);
}

Failure about(const std::string& modem, const Failure& failed) {
    return {failed.code, fmt::format("modem {}: {}", printable(modem), failed.message)};
}

Outcome<> tell(const wire::Json& answer, std::string_view words, const std::string& modem,
               Context& context) {
    context.console.write(context.json ? json_line(answer) + "\n"
                                       : fmt::format("{}: {}\n", printable(modem), words));
    return ExitCode::done;
}

Outcome<> wait_until_drained(const ModemDrainOptions& options, Service& service,
                             const StopSignal& stop, Context& context) {
    constexpr milliseconds pause{200};
    const auto deadline = std::chrono::steady_clock::now() + options.wait_max;
    for (;;) {
        const auto line = service.get(target_of(options.modem, ""));
        if (!line && !service.interrupted()) {
            return std::unexpected(about(options.modem, line.error()));
        }
        if (line && truth_of(*line, "drained")) {
            context.console.end_progress();
            return tell(*line, "drained; it gets no work until `smsrack modem resume`",
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

}  // namespace

Outcome<> run(const ModemDrainOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    const auto answer =
        service.call({.method = "POST", .target = target_of(options.modem, "/drain")});
    if (!answer) {
        return std::unexpected(about(options.modem, answer.error()));
    }
    if (options.no_wait) {
        return tell(*answer, "gets no new work; finishes what is in flight", options.modem,
                    context);
    }
    return wait_until_drained(options, service, stop, context);
}

Outcome<> run(const ModemResumeOptions& options, Context& context) {
    const auto answer =
        Service(context.socket)
            .call({.method = "POST", .target = target_of(options.modem, "/resume")});
    if (!answer) {
        return std::unexpected(about(options.modem, answer.error()));
    }
    return tell(*answer, "open: it gets work again", options.modem, context);
}

}  // namespace smsrack::cli
