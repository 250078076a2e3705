#include "tools/smsrack/db_command.hpp"

#include "db/backup.hpp"
#include "db/check.hpp"
#include "tools/smsrack/config_command.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/progress_bar.hpp"
#include "tools/smsrack/table.hpp"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

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

Outcome<> run(const DbCheckOptions& options, Context& context) {
    const auto file = database_file(options.where, context);
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto report = db::check(*file);
    if (!report) {
        return std::unexpected(failure_of(report.error(), *file));
    }
    if (context.json) {
        context.console.write(json_line({{"file", file->string()},
                                         {"ok", report->problems.empty()},
                                         {"problems", report->problems},
                                         {"version", report->version},
                                         {"messages", report->messages},
                                         {"inbox", report->inbox}}) +
                              "\n");
    } else {
        for (const std::string& problem : report->problems) {
            context.console.note(printable(problem));
        }
        context.console.write(fmt::format("{}: {}, version {}, {} messages, {} received\n",
                                          file->string(),
                                          report->problems.empty() ? "ok" : "not well",
                                          report->version, report->messages, report->inbox));
    }
    if (!report->problems.empty()) {
        return failure(ExitCode::bad_data,
                       fmt::format("{}: {} problems; make a copy of it before anything else",
                                   file->string(), report->problems.size()));
    }
    return ExitCode::done;
}

Outcome<> run(const DbBackupOptions& options, Context& context) {
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
    context.console.write(context.json
                              ? json_line({{"file", options.file}, {"octets", *size}}) + "\n"
                              : fmt::format("{}: {:.1f} MiB\n", options.file,
                                            static_cast<double>(*size) / (1024.0 * 1024.0)));
    return ExitCode::done;
}

}  // namespace smsrack::cli
