#include "tools/smsrack/rack/db_command.hpp"

#include "db/upkeep/backup.hpp"
#include "db/upkeep/check.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/db_rollback.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

struct BackupOptions {
    DatabaseChoice where = {};
    std::string file = {};  ///< of the copy
};

Failure failure_of(const Error& error, const std::filesystem::path& file) {
    const bool bad = error.code == Errc::damaged_database || error.code == Errc::newer_database;
    const ExitCode code = bad ? ExitCode::bad_data
                          : error.code == Errc::not_allowed || error.code == Errc::forbidden
                              ? ExitCode::not_allowed
                              : ExitCode::failed;
    return {.code = code,
            .message = fmt::format("{}: {} ({})", file.string(), printable(error.context),
                                   errc_name(error.code))};
}

}  // namespace

Outcome<std::filesystem::path> database_file(const DatabaseChoice& where, Context& context) {
    if (!where.database.empty()) {
        return std::filesystem::path(where.database);
    }
    const auto settings = load_config(where.config, context);
    if (!settings) {
        return std::unexpected(settings.error());
    }
    return std::filesystem::path(settings->service.state_dir) / config::database_name;
}

void add_database(CLI::App& app, DatabaseChoice& where) {
    app.add_option("--config", where.config, "configuration that names its folder")
        ->capture_default_str();
    app.add_option("--db", where.database, "the database, instead");
}

namespace {

Outcome<> check_database(const DatabaseChoice& where, Context& context) {
    const auto file = database_file(where, context);
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto found = db::check(*file);
    if (!found) {
        return std::unexpected(failure_of(found.error(), *file));
    }
    const bool well = found->problems.empty();
    if (!context.json) {
        for (const std::string& problem : found->problems) {
            context.console.note(printable(problem));
        }
    }
    const auto told =
        report({{"file", file->string()},
                {"ok", well},
                {"problems", found->problems},
                {"version", found->version},
                {"messages", found->messages},
                {"inbox", found->inbox}},
               fmt::format("{}: {}, version {}, {} messages, {} received\n", file->string(),
                           well ? "ok" : "not well", found->version, found->messages, found->inbox),
               context);
    return well ? told
                : failure(ExitCode::bad_data,
                          fmt::format("{}: {} problems; make a copy of it before anything else",
                                      file->string(), found->problems.size()));
}

Outcome<> back_up(const BackupOptions& options, Context& context) {
    const auto file = database_file(options.where, context);
    if (!file) {
        return std::unexpected(file.error());
    }
    ProgressBar bar(context.console, 100);
    const auto size = db::backup(
        *file, options.file,
        [&bar](db::BackupProgress done) {
            const auto percent = done.pages == 0 ? 0
                                                 : static_cast<std::uint64_t>(done.pages_copied) *
                                                       100 / static_cast<std::uint64_t>(done.pages);
            bar.show(percent, fmt::format("{} of {} pages", done.pages_copied, done.pages));
        },
        db::BackupPlace::chosen);
    context.console.end_progress();
    if (!size) {
        return std::unexpected(failure_of(size.error(), *file));
    }
    return report({{"file", options.file}, {"octets", *size}},
                  fmt::format("{}: {:.1f} MiB\n", options.file,
                              static_cast<double>(*size) / (1024.0 * 1024.0)),
                  context);
}

}  // namespace

void declare_db(const CommandGroup& program) {
    const CommandGroup db =
        program.group("db", "check, copy or roll back the database; needs no service");
    const auto check = db.command(
        {"check", "read all of it and report whether it is intact", {"db check"}}, check_database);
    add_database(check.app, check.options);
    const auto backup = db.command(
        {"backup", "copy it, also while the service runs", {"db backup /var/backups/smsrack.db"}},
        back_up);
    add_database(backup.app, backup.options.where);
    backup.app.add_option("file", backup.options.file, "the copy; must not exist yet")->required();
    declare_db_rollback(db);
}

}  // namespace smsrack::cli
