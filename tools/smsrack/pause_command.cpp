#include "tools/smsrack/pause_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

std::string sentence(const wire::Json& answer, const PauseOptions& options) {
    const std::string name = text_of(answer, "name");
    const std::string what =
        name.empty() ? "the rack" : fmt::format("{} {}", text_of(answer, "scope"), name);
    const bool changed = truth_of(answer, "changed");
    if (options.resume) {
        return fmt::format("{} {}\n", what, changed ? "is resumed" : "was not paused");
    }
    return fmt::format("{} {}\n", what,
                       changed ? "is paused: messages in flight are finished, no other is started"
                               : "was paused already");
}

}  // namespace

Outcome<> run(const PauseOptions& options, Context& context) {
    wire::Json body = wire::Json::object();
    if (!options.group.empty()) {
        body["group"] = options.group;
    } else if (!options.batch.empty()) {
        body["batch"] = options.batch;
        if (options.create) {
            body["create"] = true;
        }
    }
    const auto answer = Service(context.socket)
                            .call({.method = "POST",
                                   .target = options.resume ? "/v1/resume" : "/v1/pause",
                                   .headers = {{"Content-Type", "application/json"}},
                                   .body = json_line(body)});
    if (!answer) {
        return std::unexpected(answer.error());
    }
    context.console.write(context.json ? json_line(*answer) + "\n" : sentence(*answer, options));
    return ExitCode::done;
}

}  // namespace smsrack::cli
