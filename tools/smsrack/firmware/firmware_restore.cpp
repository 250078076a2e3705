// `smsrack firmware restore`: before the service starts, a database that this release can't use gives way to the copy of before.
#include "db/upkeep/go_back.hpp"
#include "tools/smsrack/firmware/firmware_command.hpp"
#include "tools/smsrack/rack/going_back.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

/// By `yes`, or by `smsrack firmware rollback --yes` before, for this slot and this copy.
bool is_agreed(const FirmwareRestoreOptions& options, const GoingBack& judged,
               const FirmwareBox& box) {
    const auto agreed = read_small_file(box.loss_agreed());
    const std::string bootname = booted_slot(box);
    return options.yes ||
           (agreed && !bootname.empty() && *agreed == loss_agreement(bootname, judged.copy));
}

std::string what_it_costs(const GoingBack& judged) {
    const db::GoingBackLoss& loss = judged.loss;
    return judged.why.empty()
               ? fmt::format(
                     "{} accepted messages and {} received ones would be missing, {} sent "
                     "again, {} opt-outs and {} pauses forgotten",
                     loss.accepted(), loss.received, loss.again, loss.opt_outs, loss.pauses)
               : "what would be lost can't be counted: " + printable(judged.why);
}

std::unexpected<Failure> not_agreed(const GoingBack& judged) {
    return failure(
        ExitCode::failed,
        fmt::format(
            "{} is of a later release (schema {}). With {} in its place {}. Start the later "
            "release again, or agree with `smsrack firmware restore --yes`",
            judged.database.string(), judged.schema, judged.copy.string(), what_it_costs(judged)));
}

}  // namespace

Outcome<> firmware_restore(const FirmwareRestoreOptions& options, const FirmwareBox& box,
                           Context& context) {
    const auto database = database_file(options.where, context);
    if (!database) {
        return std::unexpected(database.error());
    }
    if (const auto ended = db::end_going_back(*database, box.clock.wall()); !ended) {
        return failure(ExitCode::failed, ended.error().context);
    }
    const FirmwareSlot here{.bootname = "this release", .note = about_this_release(box)};
    const GoingBack judged = judge_going_back(*database, here, here);
    if (judged.kind == GoingBackKind::free) {
        return report({{"restored", false}}, "this release can use the database as it is\n",
                      context);
    }
    if (judged.kind != GoingBackKind::with_copy) {
        return failure(ExitCode::failed,
                       fmt::format("{}: schema {}, this release knows {}: {}", database->string(),
                                   judged.schema, here.note->schema, printable(judged.why)));
    }
    if (!judged.loses_nothing() && !is_agreed(options, judged, box)) {
        return not_agreed(judged);
    }
    const auto kept = db::go_back(*database, judged.copy, box.clock.wall());
    if (!kept) {
        return failure(ExitCode::failed, kept.error().context);
    }
    return report(
        {{"restored", true},
         {"copy", judged.copy.string()},
         {"kept", kept->string()},
         {"waiting", judged.loss.waiting},
         {"received", judged.loss.received}},
        fmt::format(
            "{} was of a later release (schema {}, this one knows {}): it is kept as {}, and {} "
            "took its place. In the kept one alone are {} accepted messages, of which {} wait, and "
            "{} received ones.\n",
            database->string(), judged.schema, here.note->schema, kept->string(),
            judged.copy.string(), judged.loss.accepted(), judged.loss.waiting,
            judged.loss.received),
        context);
}

}  // namespace smsrack::cli
