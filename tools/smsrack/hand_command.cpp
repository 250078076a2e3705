#include "tools/smsrack/hand_command.hpp"

#include "drivers/gsm/exchange/sim_danger.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"

#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <string>
#include <string_view>

namespace smsrack::cli {
namespace {

/// A command waits up to 30 s for a message in flight, then the modem has a minute at most
/// (AT+COPS=).
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
        return in_words(answer.error(),
                        fmt::format("modem {}: {}", printable(modem), answer.error().message));
    }
    return answer;
}

/// The words of the command line, or the first line of standard input.
Outcome<std::string> text_of_order(const std::string& given, const gsm::SimDanger& danger) {
    if (given == "-") {
        std::string line;
        if (!std::getline(std::cin, line) || line.empty()) {
            return failure(ExitCode::usage, "standard input was empty");
        }
        if (line.ends_with('\r')) {
            line.pop_back();
        }
        return line;
    }
    if (danger.has_secret) {  // every account sees the command lines of all programs
        return failure(
            ExitCode::usage,
            "a PIN or password must not be on a command line; write \"-\" there, and give the "
            "command on standard input");
    }
    return given;
}

std::string attempts_words(const wire::Json& answer) {
    const auto left = answer.find("attempts_left");
    if (left == answer.end()) {
        return {};
    }
    return left->is_object() ? fmt::format("attempts left: PIN {}, PIN2 {}, PUK {}, PUK2 {}\n",
                                           left->value("pin", 0), left->value("pin2", 0),
                                           left->value("puk", 0), left->value("puk2", 0))
                             : "attempts left: unknown, since the modem does not say\n";
}

wire::Json body_of(std::string_view member, const std::string& text, bool force) {
    wire::Json body{{std::string(member), text}};
    if (force) {
        body["force"] = true;
    }
    return body;
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
        context.console.write(attempts_words(*answer));
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
    const auto command = text_of_order(options.command, gsm::danger_of_command(options.command));
    if (!command) {
        return std::unexpected(command.error());
    }
    return show(post(context, options.modem, "at", body_of("command", *command, options.force)),
                context);
}

Outcome<> run(const UssdOptions& options, Context& context) {
    const auto code = text_of_order(options.code, gsm::danger_of_code(options.code));
    if (!code) {
        return std::unexpected(code.error());
    }
    return show(post(context, options.modem, "ussd", body_of("code", *code, options.force)),
                context);
}

Outcome<> run(const ModemResetOptions& options, Context& context) {
    const auto answer = post(context, options.modem, "reset", wire::Json::object());
    if (!answer) {
        return std::unexpected(answer.error());
    }
    context.console.write(
        context.json
            ? json_line(*answer) + "\n"
            : fmt::format("{}: restarts as soon as it is idle; `smsrack modems` shows it\n",
                          printable(options.modem)));
    return ExitCode::done;
}

}  // namespace smsrack::cli
