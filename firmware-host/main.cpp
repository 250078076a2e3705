// smsrackd: options -> settings -> Life, nothing else. Exit codes of sysexits.h.
#include "db/engine/migrate.hpp"
#include "firmware-host/life.hpp"
#include "firmware-host/process/descriptor_limit.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "firmware-host/setup/configuration.hpp"
#include "firmware-host/system/memory_limit.hpp"
#include "firmware-host/upgrade/migration_trial.hpp"
#include "firmware-host/version.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <expected>
#include <fmt/format.h>
#include <malloc.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <utility>

namespace {

using namespace smsrack;

constexpr const char* default_config = "/etc/smsrack/smsrack.toml";

void say(const std::string& words, std::FILE* where = stderr) {
    (void)std::fputs((words + "\n").c_str(), where);
}

int exit_code(Errc code) {
    switch (code) {
        case Errc::newer_database:
        case Errc::damaged_database:
            return EX_SOFTWARE;
        case Errc::bad_config:
            return EX_CONFIG;
        case Errc::not_allowed:
            return EX_NOPERM;
        case Errc::busy:
            return EX_UNAVAILABLE;
        case Errc::storage:
            return EX_IOERR;
        default:
            return EX_OSERR;
    }
}

std::expected<host::Configuration, int> read_configuration(const std::string& path) {
    auto configuration = host::read_configuration(path);
    if (!configuration) {
        const config::ConfigError& error = configuration.error();
        for (const config::ConfigProblem& problem : error.problems) {
            say(error.line_of(problem));
        }
        const bool may_pass = std::ranges::all_of(error.problems, &config::ConfigProblem::may_pass);
        return std::unexpected(may_pass ? EX_NOPERM : EX_CONFIG);
    }
    for (const config::ConfigProblem& warning : configuration->warnings) {
        say(config::warning_line(path, warning));
    }
    return *std::move(configuration);
}

int complain(const Error& error) {
    say("smsrackd: " + error.context);
    return exit_code(error.code);
}

int try_migration(const std::string& copy) {
    const auto migrated = host::migrate_copy(copy);
    return migrated ? EX_OK : complain(migrated.error());
}

/// What a box records of a release, to know which other release can use its database.
int tell_about() {
    say(fmt::format(R"({{"version":"{}","schema":{},"readable_from":{}}})", host::version,
                    db::migrations().size(), db::readable_from),
        stdout);
    return EX_OK;
}

int run(int argc, char** argv) {
    CLI::App app{
        "smsrackd: the SMS rack's service. Runs in the foreground, logs to standard error."};
    std::string config_path = default_config;
    std::string copy;
    bool take_over = false;
    bool about = false;
    app.add_option("--config", config_path, "configuration file")->capture_default_str();
    app.add_flag("--take-over", take_over,
                 "used by an older version to hand over to this one (smsrack upgrade)");
    app.add_option("--try-migration", copy,
                   "migrates this copy of a database to the schema of this version, then exits");
    app.add_flag(
        "--about", about,
        "prints version, database schema and the earliest schema that can use it, as JSON");
    app.set_version_flag("--version", std::string(host::version));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? EX_OK : EX_USAGE;
    }
    if (about) {
        return tell_about();
    }
    if (!copy.empty()) {
        return try_migration(copy);
    }
    auto configuration = read_configuration(config_path);
    if (!configuration) {
        return configuration.error();
    }
    host::raise_descriptor_limit();
    host::warn_of_memory(configuration->settings);
    const bool for_journal = std::getenv("JOURNAL_STREAM") != nullptr;
    const host::SystemClock clock;
    host::Life life(*std::move(configuration), config_path, for_journal, clock);
    const auto lived = take_over ? life.take_over() : life.start();
    return lived ? EX_OK : complain(lived.error());
}

}  // namespace

int main(int argc, char** argv) {
    // Many threads that allocate little: two arenas save a MiB or more for each line.
    (void)mallopt(M_ARENA_MAX, 2);  // NOLINT(concurrency-mt-unsafe): one thread yet
    // Tables that grow leave nothing behind: the default rises to 32 MiB with the first such one that is freed.
    (void)mallopt(M_MMAP_THRESHOLD, 128 * 1024);  // NOLINT(concurrency-mt-unsafe)
    (void)std::signal(SIGPIPE, SIG_IGN);
    // One that was started by a descriptor has its number as its name.
    (void)::prctl(PR_SET_NAME, "smsrackd");
    // Whatever it makes is its own alone; the socket gets its mode and group by themselves.
    (void)::umask(0077);
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        (void)std::fputs("smsrackd: ", stderr);
        (void)std::fputs(error.what(), stderr);
        (void)std::fputs("\n", stderr);
        return EX_SOFTWARE;
    }
}
