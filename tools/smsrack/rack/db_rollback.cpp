#include "tools/smsrack/rack/db_rollback.hpp"

#include "db/upkeep/go_back.hpp"
#include "tools/smsrack/rack/db_command.hpp"
#include "tools/smsrack/rack/going_back.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"

#include <fmt/format.h>

namespace smsrack::cli {
namespace {

struct RollbackOptions {
    DatabaseChoice where = {};
    int schema = 0;  ///< the latest one that the other version knows
    bool yes = false;
};

Outcome<> tell_schema(const DatabaseChoice& where, Context& context) {
    const auto file = database_file(where, context);
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto schema = db::schema_of(*file);
    if (!schema) {
        return failure(ExitCode::failed,
                       fmt::format("{}: {}", file->string(), printable(schema.error().context)));
    }
    const int readable_from = schema->oldest_reader.value_or(schema->version);
    return report(
        {{"file", file->string()}, {"schema", schema->version}, {"readable_from", readable_from}},
        fmt::format("{}: schema {}, for versions that know schema {} or a later one\n",
                    file->string(), schema->version, readable_from),
        context);
}

Outcome<> roll_back(const RollbackOptions& options, Context& context) {
    const auto database = database_file(options.where, context);
    if (!database) {
        return std::unexpected(database.error());
    }
    const RealClock clock;
    if (const auto ended = db::end_going_back(*database, clock.wall()); !ended) {
        return failure(ExitCode::failed, ended.error().context);
    }
    const GoingBack judged =
        judge_going_back(*database, {}, {.note = SlotNote{.schema = options.schema}});
    if (judged.kind == GoingBackKind::free) {
        return report({{"rolled_back", false}},
                      fmt::format("a version that knows schema {} can use the database as it is\n",
                                  options.schema),
                      context);
    }
    if (judged.kind != GoingBackKind::with_copy) {
        return failure(
            ExitCode::failed,
            fmt::format("{}: schema {}, and the other version knows {}: {}", database->string(),
                        judged.schema, options.schema, printable(judged.why)));
    }
    for (const std::string& line : loss_words(judged)) {
        context.console.note(line);
    }
    if (!judged.loses_nothing() && !options.yes) {
        return failure(ExitCode::failed,
                       fmt::format("not rolled back; `smsrack db backup FILE` keeps a copy of the "
                                   "current messages, `smsrack db rollback {} --yes` rolls back "
                                   "all the same",
                                   options.schema));
    }
    const auto kept = db::go_back(*database, judged.copy, clock.wall());
    if (!kept) {
        return failure(ExitCode::failed, kept.error().context);
    }
    return report(
        {{"rolled_back", true}, {"copy", judged.copy.string()}, {"kept", kept->string()}},
        fmt::format("{} took the place of {}, which is kept as {}. Do not start this version "
                    "now: it would migrate the copy again\n",
                    judged.copy.string(), database->string(), kept->string()),
        context);
}

}  // namespace

void declare_db_rollback(const CommandGroup& db) {
    const auto schema = db.command(
        {"schema", "tell the schema of the database, and which versions can use it", {"db schema"}},
        tell_schema);
    add_database(schema.app, schema.options);
    const auto rollback =
        db.command({"rollback",
                    "put the copy from before a migration in place; the service must be stopped",
                    {"db rollback 16"}},
                   roll_back);
    add_database(rollback.app, rollback.options.where);
    rollback.app
        .add_option("schema", rollback.options.schema, "the latest that the other version knows")
        ->required()
        ->check(CLI::Range(1, 100'000));
    rollback.app.add_flag("--yes", rollback.options.yes, "even if messages would be lost");
}

}  // namespace smsrack::cli
