// `smsrack at NAME COMMAND`, `smsrack ussd NAME CODE`, `smsrack modem reset NAME`: an
// administrator's orders to a modem.
#include "drivers/gsm/exchange/sim_danger.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

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

struct HandOptions {
    std::string modem = {};
    std::string order = {};  ///< a command or code; "-": of standard input
    bool force = false;
};

Outcome<wire::Json> post(Context& context, const std::string& modem, std::string_view call,
                         const wire::Json& body) {
    return about(
        "modem", modem,
        Service(context.socket, -1, answer_limit)
            .post(fmt::format("/v1/modems/{}/{}", client::percent_encoded(modem), call), body));
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

std::string words_of_dialogue(const wire::Json& answer) {
    std::string text;
    for (const wire::Json& line : array_of(answer, "lines")) {
        text += printable(text_of(line)) + "\n";
    }
    return text + attempts_words(answer);
}

/// A final result that is not OK is a failure, after its lines were printed.
Outcome<> give(const HandOptions& options, const char* call, const char* member,
               const gsm::SimDanger& danger, Context& context) {
    const auto order = text_of_order(options.order, danger);
    if (!order) {
        return std::unexpected(order.error());
    }
    wire::Json body{{member, *order}};
    if (options.force) {
        body["force"] = true;
    }
    const auto answer = post(context, options.modem, call, body);
    const std::string final_result = answer ? text_of(*answer, "final") : "OK";
    auto told = report(answer, context, words_of_dialogue);
    return final_result == "OK" ? told
                                : failure(ExitCode::failed, fmt::format("the modem answered {}",
                                                                        printable(final_result)));
}

Outcome<> give_at(const HandOptions& options, Context& context) {
    return give(options, "at", "command", gsm::danger_of_command(options.order), context);
}

Outcome<> give_ussd(const HandOptions& options, Context& context) {
    return give(options, "ussd", "code", gsm::danger_of_code(options.order), context);
}

Outcome<> reset_modem(const std::string& modem, Context& context) {
    return report(
        post(context, modem, "reset", wire::Json::object()), context, [&](const wire::Json&) {
            return fmt::format("{}: restarts as soon as it is idle; `smsrack modems` shows it\n",
                               printable(modem));
        });
}

void add_order(const Declared<HandOptions>& command, const char* name, const char* what) {
    command.app.add_option("name", command.options.modem, "the modem's name in the configuration")
        ->required();
    command.app.add_option(name, command.options.order, what)->required();
    command.app.add_flag("--force", command.options.force, "allow what can lock or divert the SIM");
}

}  // namespace

void declare_modem_reset(const CommandGroup& modem) {
    modem.command({"reset", "restart it as soon as it is idle", {"modem reset m1"}}, "name",
                  "its name in the configuration", reset_modem);
}

void declare_hand(const CommandGroup& program) {
    add_order(
        program.command(
            {"at", "send one AT command to a modem, between messages", {"at m1 AT+CSQ"}}, give_at),
        "command", "such as AT+CSQ; -: standard input");
    add_order(
        program.command(
            {"ussd", "send one USSD code through a modem, between messages", {"ussd m1 '*100#'"}},
            give_ussd),
        "code", "such as *100#; -: standard input");
}

}  // namespace smsrack::cli
