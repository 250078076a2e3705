// `smsrack firmware restore`: before the service starts, a database that this release can't use gives way to the copy of before.
#include "db/go_back.hpp"
#include "tools/smsrack/firmware_about.hpp"
#include "tools/smsrack/firmware_command.hpp"
#include "tools/smsrack/going_back.hpp"
#include "tools/smsrack/json_fields.hpp"

#include <fmt/format.h>

namespace smsrack::cli {

Outcome<> firmware_restore(const FirmwareRestoreOptions& options, const FirmwareBox& box,
                           Context& context) {
    if (const auto is_box = require_box(box); !is_box) {
        return is_box;
    }
    const auto database = database_file(options.where, context);
    if (!database) {
        return std::unexpected(database.error());
    }
    const FirmwareSlot here{.bootname = "this release", .note = about_this_release(box)};
    const GoingBack judged = judge_going_back(*database, here, here);
    if (judged.kind == GoingBackKind::free) {
        context.console.write(context.json ? "{\"restored\":false}\n"
                                           : "this release can use the database as it is\n");
        return ExitCode::done;
    }
    if (judged.kind != GoingBackKind::with_copy) {
        return failure(ExitCode::failed,
                       fmt::format("{}: schema {}, this release knows {}: {}", database->string(),
                                   judged.schema, here.note->schema, printable(judged.why)));
    }
    const auto kept = db::go_back(*database, judged.copy, box.clock.wall());
    if (!kept) {
        return failure(ExitCode::failed, kept.error().context);
    }
    if (context.json) {
        context.console.write(json_line({{"restored", true},
                                         {"copy", judged.copy.string()},
                                         {"kept", kept->string()},
                                         {"waiting", judged.loss.waiting},
                                         {"received", judged.loss.received}}) +
                              "\n");
        return ExitCode::done;
    }
    context.console.write(fmt::format(
        "{} was of a later release (schema {}, this one knows {}): it is kept as {}, and {} took "
        "its "
        "place. In the kept one alone are {} accepted messages, of which {} wait, and {} received "
        "ones.\n",
        database->string(), judged.schema, here.note->schema, kept->string(), judged.copy.string(),
        judged.loss.accepted(), judged.loss.waiting, judged.loss.received));
    return ExitCode::done;
}

}  // namespace smsrack::cli
