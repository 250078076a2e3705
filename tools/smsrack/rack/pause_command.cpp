// `smsrack pause` and `smsrack resume`: pause and resume the whole rack, a group, or a batch.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/cluster_words.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

struct PauseOptions {
    std::string group = {};  ///< at most one of the two; none: the rack
    std::string batch = {};
    bool create = false;  ///< of a batch that no message has yet
};

/// `changed`, `as_before`: what holds for the rack, group or batch now.
Outcome<> order_pause(const PauseOptions& options, const char* target, const char* changed,
                      const char* as_before, Context& context) {
    wire::Json body = wire::Json::object();
    if (!options.group.empty()) {
        body["group"] = options.group;
    } else if (!options.batch.empty()) {
        body["batch"] = options.batch;
        if (options.create) {
            body["create"] = true;
        }
    }
    return report(
        Service(context.socket).post(target, body), context, [&](const wire::Json& answer) {
            const std::string name = text_of(answer, "name");
            return fmt::format(
                "{} {}{}\n",
                name.empty() ? "the rack" : fmt::format("{} {}", text_of(answer, "scope"), name),
                truth_of(answer, "changed") ? changed : as_before, here_only(answer));
        });
}

Outcome<> pause_sending(const PauseOptions& options, Context& context) {
    return order_pause(options, "/v1/pause",
                       "is paused: messages in flight are finished, no other is started",
                       "was paused already", context);
}

Outcome<> resume_sending(const PauseOptions& options, Context& context) {
    return order_pause(options, "/v1/resume", "is resumed", "was not paused", context);
}

/// The option --batch.
CLI::Option* add_scope(const Declared<PauseOptions>& command) {
    CLI::Option* group =
        command.app.add_option("--group", command.options.group, "only this group");
    CLI::Option* batch =
        command.app.add_option("--batch", command.options.batch, "only this batch");
    group->excludes(batch);
    return batch;
}

}  // namespace

void declare_pause(const CommandGroup& program) {
    const auto command = program.command(
        {"pause", "pause the rack, a group or a batch", {"pause --group marketing"}},
        pause_sending);
    CLI::Option* batch = add_scope(command);
    command.app
        .add_flag("--create", command.options.create, "even if no message has this batch yet")
        ->needs(batch);
    add_scope(program.command(
        {"resume", "resume the rack, a group or a batch", {"resume --group marketing"}},
        resume_sending));
}

}  // namespace smsrack::cli
