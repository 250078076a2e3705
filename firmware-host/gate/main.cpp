// smsrack-gate: options -> settings -> Gate, nothing else. Exit codes of sysexits.h.
#include "firmware-host/gate/gate.hpp"
#include "firmware-host/gate/page/page_files.hpp"
#include "firmware-host/process/descriptor_limit.hpp"
#include "firmware-host/process/log_sink.hpp"
#include "firmware-host/process/system_clock.hpp"
#include "firmware-host/setup/text_file.hpp"
#include "src/base/limited_log.hpp"
#include "src/config/settings.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <expected>
#include <string>
#include <sys/stat.h>
#include <sysexits.h>
#include <utility>

namespace {

using namespace smsrack;

constexpr const char* default_config = "/etc/smsrack/smsrack.toml";
constexpr const char* default_socket = "/run/smsrack/smsrack.sock";

void say(const std::string& words) {
    (void)std::fputs((words + "\n").c_str(), stderr);
}

int exit_code(Errc code) {
    switch (code) {
        case Errc::bad_config:
            return EX_CONFIG;
        case Errc::not_allowed:
            return EX_NOPERM;
        case Errc::busy:
            return EX_UNAVAILABLE;
        default:
            return EX_OSERR;
    }
}

int serve(const config::Settings& settings, gate::GateRun how) {
    host::raise_descriptor_limit();
    const host::SystemClock clock;
    const bool for_journal = std::getenv("JOURNAL_STREAM") != nullptr;
    host::LogSink sink(settings.service.log_level, for_journal, clock);
    LimitedLog log(sink, clock);
    host::NamedFds given = host::fds_of_environment();
    how.before_wait = [&sink] { sink.flush(); };
    gate::Gate gate(settings, std::move(how), log, clock);
    if (const auto started = gate.start(std::move(given)); !started) {
        say("smsrack-gate: " + started.error().context);
        return exit_code(started.error().code);
    }
    sink.hold();  // it writes a line per request
    gate.run();
    return EX_OK;
}

int run(int argc, char** argv) {
    CLI::App app{
        "smsrack-gate: lets programs on other machines call smsrackd, over TLS and with tokens, "
        "and "
        "sends events to webhooks. Runs in the foreground, logs to standard error."};
    std::string config_path = default_config;
    app.add_option("--config", config_path, "configuration file")->capture_default_str();
    bool is_own = false;
    app.add_flag("--dashboard", is_own,
                 "serve the dashboard to a browser of this machine, as the account that runs this; "
                 "no configuration is read. `smsrack dashboard` calls it");
    std::string socket = default_socket;
    app.add_option("--socket", socket, "with --dashboard: the socket of smsrackd")
        ->capture_default_str();
    app.set_version_flag("--version", SMSRACK_VERSION);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? EX_OK : EX_USAGE;
    }
    if (is_own && gate::page_files().index.empty()) {
        say("smsrack-gate: it was built without the dashboard (SMSRACK_WEB=OFF); `smsrack status` "
            "and "
            "`smsrack watch` show the rack");
        return EX_UNAVAILABLE;
    }
    if (is_own) {
        config::Settings own;
        own.service.socket = socket;
        own.service.log_level = LogLevel::warn;
        own.http.emplace();
        return serve(own, {.is_own = true});
    }
    const auto text = host::read_text_file(config_path);
    if (!text) {
        say(text.error().context);
        return EX_CONFIG;
    }
    const auto settings = config::load_settings(*text, config_path);
    if (!settings) {
        for (const config::ConfigProblem& problem : settings.error().problems) {
            say(settings.error().line_of(problem));
        }
        return EX_CONFIG;
    }
    if (!settings->http && !settings->smpp && settings->webhooks.empty()) {
        say("smsrack-gate: " + config_path +
            " has no [http], no [smpp] and no [[webhook]], so there is nothing to do");
        host::systemd_of_environment().ready();  // else systemd takes the end for a failure
        return EX_OK;
    }
    // RuntimeDirectory= of the unit.
    const char* const folder = std::getenv("RUNTIME_DIRECTORY");
    return serve(*settings,
                 {.config_file = config_path,
                  .logins_file = folder == nullptr ? "" : folder + std::string("/logins")});
}

}  // namespace

int main(int argc, char** argv) {
    (void)::umask(0077);
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        say(std::string("smsrack-gate: ") + error.what());
        return EX_SOFTWARE;
    }
}
