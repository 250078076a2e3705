// smsrackd: options -> settings -> Service, nothing else. Exit codes of sysexits.h.
#include "firmware-host/config_file.hpp"
#include "firmware-host/error_table_file.hpp"
#include "firmware-host/log_sink.hpp"
#include "firmware-host/service.hpp"
#include "firmware-host/system_clock.hpp"
#include "firmware-host/version.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <malloc.h>
#include <string>
#include <sysexits.h>
#include <unistd.h>

namespace {

using namespace smsrack;

constexpr const char* default_config = "/etc/smsrack/smsrack.toml";

void say(const std::string& words) {
    (void)std::fputs((words + "\n").c_str(), stderr);
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

int run(const std::string& config_path) {
    const auto text = host::read_config(config_path);
    if (!text) {
        say(fmt::format("smsrackd: {}: can't be read; name another file with --config",
                        config_path));
        return EX_CONFIG;
    }
    auto settings = config::load_settings(*text, config_path);
    if (!settings) {
        say(settings.error().text());
        return EX_CONFIG;
    }
    auto errors = host::read_error_table(settings->service.error_table);
    if (!errors) {
        say(errors.error());
        return EX_CONFIG;
    }
    const host::SystemClock clock;
    const bool for_journal =
        std::getenv("JOURNAL_STREAM") != nullptr;  // NOLINT(concurrency-mt-unsafe): one thread yet
    host::LogSink log(settings->service.log_level, for_journal, clock);
    host::Service service(std::move(*settings), std::move(*errors), config_path, log, clock);
    if (const auto started = service.start(); !started) {
        say("smsrackd: " + started.error().context);
        return exit_code(started.error().code);
    }
    service.run();
    return EX_OK;
}

}  // namespace

int main(int argc, char** argv) {
    // Many threads that allocate little: two arenas save a MiB or more for each line.
    (void)mallopt(M_ARENA_MAX, 2);
    (void)std::signal(SIGPIPE, SIG_IGN);
    CLI::App app{
        "smsrackd: the SMS rack's service. Runs in the foreground, logs to standard error."};
    std::string config_path = default_config;
    app.add_option("--config", config_path, "configuration file")->capture_default_str();
    app.set_version_flag("--version", std::string(host::version));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? EX_OK : EX_USAGE;
    }
    try {
        return run(config_path);
    } catch (const std::exception& error) {
        say(fmt::format("smsrackd: {}", error.what()));
        return EX_SOFTWARE;
    }
}
