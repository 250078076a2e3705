#include "tools/smsrack/upkeep_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace smsrack::cli {
namespace {

/// A line that goes first ends its submit, which may take two minutes; a migration is tried on a copy.
constexpr std::chrono::minutes answer_limit{30};

Outcome<wire::Json> post(Context& context, const std::string& target, const wire::Json& body) {
    return Service(context.socket, -1, answer_limit)
        .call({.method = "POST",
               .target = target,
               .headers = {{"Content-Type", "application/json"}},
               .body = json_line(body)});
}

void list(Console& console, const wire::Json& report, const char* member, std::string_view words) {
    for (const wire::Json& item : array_of(report, member)) {
        console.write(fmt::format("{}  {}\n", words,
                                  printable(item.is_string() ? item.get<std::string>() : "")));
    }
}

std::int64_t number(const wire::Json& report, const char* member) {
    const auto found = report.find(member);
    return found != report.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

}  // namespace

Outcome<> run(const ReloadOptions&, Context& context) {
    auto report = post(context, "/v1/reload", wire::Json::object());
    if (!report) {
        Failure why = std::move(report.error());
        why.message = "nothing was applied, the service continues as before: " + why.message;
        return std::unexpected(std::move(why));
    }
    if (context.json) {
        context.console.write(json_line(*report) + "\n");
        return ExitCode::done;
    }
    list(context.console, *report, "applied", "applied       ");
    list(context.console, *report, "needs_restart", "needs restart ");
    if (array_of(*report, "applied").empty() && array_of(*report, "needs_restart").empty()) {
        context.console.write("nothing has changed\n");
    }
    return ExitCode::done;
}

Outcome<> run(const UpgradeOptions& options, Context& context) {
    std::error_code error;
    const auto binary = std::filesystem::absolute(options.binary, error);
    if (error || !std::filesystem::exists(binary, error)) {
        return failure(ExitCode::usage, fmt::format("{}: no such file", printable(options.binary)));
    }
    auto report = post(context, "/v1/upgrade",
                       {{"binary", binary.lexically_normal().string()}, {"yes", options.yes}});
    if (!report) {
        Failure why = std::move(report.error());
        why.message = "not upgraded, the running version stays: " + why.message;
        return std::unexpected(std::move(why));
    }
    context.console.write(
        context.json
            ? json_line(*report) + "\n"
            : fmt::format(
                  "{} -> {}, process {}: {} modems and {} connections handed over as they were ({} "
                  "messages in flight), {} modems restarted; requests waited {} ms\n",
                  printable(text_of(*report, "from")), printable(text_of(*report, "to")),
                  number(*report, "pid"), number(*report, "lines"), number(*report, "clients"),
                  number(*report, "in_hand"), number(*report, "lines_anew"),
                  number(*report, "pause_ms")));
    return ExitCode::done;
}

}  // namespace smsrack::cli
