#include "tools/smsrack/hand_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"

#include <chrono>
#include <fmt/format.h>
#include <string_view>

namespace smsrack::cli {
namespace {

/// A command waits up to 30 s for a message in hand, then the modem has a minute at most (AT+COPS=).
constexpr std::chrono::seconds answer_limit{120};

Outcome<wire::Json> post(Context& context, const std::string& modem, std::string_view call,
                         const wire::Json& body) {
    auto answer =
        Service(context.socket, -1, answer_limit)
            .call({.method = "POST",
                   .target = fmt::format("/v1/modems/{}/{}", client::percent_encoded(modem), call),
                   .headers = {{"Content-Type", "application/json"}},
                   .body = json_line(body)});
    if (!answer) {
        return failure(answer.error().code,
                       fmt::format("modem {}: {}", printable(modem), answer.error().message));
    }
    return answer;
}

Outcome<> show(const Outcome<wire::Json>& answer, Context& context) {
    if (!answer) {
        return std::unexpected(answer.error());
    }
    if (context.json) {
        context.console.write(json_line(*answer) + "\n");
    } else {
        for (const wire::Json& line : array_of(*answer, "lines")) {
            context.console.write(printable(line.is_string() ? line.get<std::string>() : "") +
                                  "\n");
        }
    }
    const std::string final_result = text_of(*answer, "final");
    if (final_result != "OK") {
        return failure(ExitCode::failed,
                       fmt::format("the modem answered {}", printable(final_result)));
    }
    return ExitCode::done;
}

}  // namespace

Outcome<> run(const AtOptions& options, Context& context) {
    return show(post(context, options.modem, "at", {{"command", options.command}}), context);
}

Outcome<> run(const UssdOptions& options, Context& context) {
    return show(post(context, options.modem, "ussd", {{"code", options.code}}), context);
}

Outcome<> run(const ModemResetOptions& options, Context& context) {
    const auto answer = post(context, options.modem, "reset", wire::Json::object());
    if (!answer) {
        return std::unexpected(answer.error());
    }
    context.console.write(
        context.json
            ? json_line(*answer) + "\n"
            : fmt::format("{}: restarts when it holds nothing; `smsrack modems` shows it\n",
                          printable(options.modem)));
    return ExitCode::done;
}

}  // namespace smsrack::cli
