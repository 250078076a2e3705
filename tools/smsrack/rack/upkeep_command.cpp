// `smsrack reload` and `smsrack upgrade BINARY`: change the configuration or the version while the
// service keeps running.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace smsrack::cli {
namespace {

/// A line that goes first ends its submit, which may take two minutes; a migration is tried on a copy.
constexpr std::chrono::minutes answer_limit{30};

struct UpgradeOptions {
    std::string binary = {};
    bool yes = false;
};

/// The answer; a failure says first what stays as it was.
Outcome<wire::Json> post_or_stay(Context& context, const std::string& target,
                                 const wire::Json& body, std::string_view stays) {
    auto answer = Service(context.socket, -1, answer_limit).post(target, body);
    if (!answer) {
        answer.error().message = fmt::format("{}: {}", stays, answer.error().message);
    }
    return answer;
}

std::string words_of_reload(const wire::Json& done) {
    std::string text;
    for (const wire::Json& item : array_of(done, "applied")) {
        text += fmt::format("applied         {}\n", printable(text_of(item)));
    }
    for (const wire::Json& item : array_of(done, "needs_restart")) {
        text += fmt::format("needs restart   {}\n", printable(text_of(item)));
    }
    return text.empty() ? "nothing has changed\n" : text;
}

Outcome<> reload(Context& context) {
    return report(post_or_stay(context, "/v1/reload", wire::Json::object(),
                               "nothing was applied, the service continues as before"),
                  context, words_of_reload);
}

std::string words_of_upgrade(const wire::Json& done) {
    return fmt::format(
        "{} -> {}, process {}: {} modems and {} connections handed over as they were ({} messages "
        "in flight), {} modems restarted; requests waited {} ms\n",
        printable(text_of(done, "from")), printable(text_of(done, "to")), count_of(done, "pid"),
        count_of(done, "lines"), count_of(done, "clients"), count_of(done, "in_hand"),
        count_of(done, "lines_anew"), count_of(done, "pause_ms"));
}

Outcome<> upgrade(const UpgradeOptions& options, Context& context) {
    std::error_code error;
    const auto binary = std::filesystem::absolute(options.binary, error);
    if (error || !std::filesystem::exists(binary, error)) {
        return failure(ExitCode::usage, fmt::format("{}: no such file", printable(options.binary)));
    }
    return report(
        post_or_stay(context, "/v1/upgrade",
                     {{"binary", binary.lexically_normal().string()}, {"yes", options.yes}},
                     "not upgraded, the running version stays"),
        context, words_of_upgrade);
}

}  // namespace

void declare_upkeep(const CommandGroup& program) {
    program.command(
        {"reload", "apply a changed configuration; an invalid one changes nothing", {"reload"}},
        reload);
    const auto command =
        program.command({"upgrade",
                         "hand over to another version; nothing is lost or repeated",
                         {"upgrade /usr/local/bin/smsrackd"}},
                        upgrade);
    command.app.add_option("binary", command.options.binary, "the program of the other version")
        ->required();
    command.app.add_flag("--yes", command.options.yes,
                         "agree to a migration of the database, after which there is no way back");
}

}  // namespace smsrack::cli
