#include "tools/smsrack/rack/config_command.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/config/memory_need.hpp"
#include "src/config/settings_show.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/config_json.hpp"
#include "tools/smsrack/rack/service_account.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <fmt/format.h>
#include <set>
#include <utility>

namespace smsrack::cli {
namespace {

constexpr unsigned mib_bits = 20;

wire::Json list_of(const std::string& file, const config::ConfigProblems& problems) {
    wire::Json list = wire::Json::array();
    for (const config::ConfigProblem& problem : problems) {
        list.push_back({{"file", problem.file.empty() ? file : problem.file},
                        {"line", problem.line},
                        {"key", problem.key},
                        {"message", problem.message}});
    }
    return list;
}

/// Says all that is wrong with a file.
std::unexpected<Failure> refused(const config::ConfigError& error, Context& context) {
    if (context.json) {
        context.console.write(json_line({{"file", error.file},
                                         {"ok", false},
                                         {"problems", list_of(error.file, error.problems)}}) +
                              "\n");
    } else {
        for (const config::ConfigProblem& problem : error.problems) {
            context.console.note(printable(error.line_of(problem)));
        }
    }
    return failure(ExitCode::bad_data,
                   fmt::format("{}: {}; the service would not start with it", error.file,
                               counted(error.problems.size(), "problem")));
}

}  // namespace

Outcome<config::Settings> load_config(const std::string& file, Context& context) {
    const auto text = host::read_text_file(file);
    if (!text) {
        return failure(ExitCode::failed, printable(text.error().context));
    }
    auto settings = config::load_settings(*text, file);
    if (!settings) {
        return refused(settings.error(), context);
    }
    return *std::move(settings);
}

Outcome<host::Configuration> check_config(std::string_view text, const std::string& file,
                                          Context& context) {
    const ServiceAccount account;
    auto configuration = host::configuration_of(text, file, account.rights());
    if (!configuration) {
        return refused(configuration.error(), context);
    }
    return *std::move(configuration);
}

namespace {

Outcome<> check_file(const std::string& file, Context& context) {
    const auto text = host::read_text_file(file);
    if (!text) {
        return refused(host::unreadable(file, text.error()), context);
    }
    const auto checked = check_config(*text, file, context);
    if (!checked) {
        return std::unexpected(checked.error());
    }
    const config::Settings& settings = checked->settings;
    const std::uint64_t memory_mib = config::memory_need(settings) >> mib_bits;
    if (!context.json) {
        for (const config::ConfigProblem& warning : checked->warnings) {
            context.console.note(printable(config::warning_line(file, warning)));
        }
    }
    std::set<std::string> groups;
    for (const config::ModemSettings& modem : settings.modems) {
        groups.insert(modem.line.group);
    }
    return report(
        {{"file", file},
         {"ok", true},
         {"problems", wire::Json::array()},
         {"warnings", list_of(file, checked->warnings)},
         {"memory_mib", memory_mib}},
        fmt::format("{}: ok, {} in {}, up to {} MiB of memory{}\n", file,
                    counted(settings.modems.size(), "modem"), counted(groups.size(), "group"),
                    memory_mib, settings.triggers.empty() ? "" : " and the filters of triggers"),
        context);
}

Outcome<> show_file(const std::string& file, Context& context) {
    auto settings = load_config(file, context);
    if (!settings) {
        return std::unexpected(settings.error());
    }
    for (config::WebhookSettings& webhook : settings->webhooks) {
        webhook.url = config::without_query(webhook.url);  // a query may hold a secret
    }
    return report(settings_as_json(*settings), config::settings_as_toml(*settings), context);
}

}  // namespace

void declare_config(const CommandGroup& program) {
    const CommandGroup config =
        program.group("config", "check or show a configuration; needs no service");
    const auto check = config.command<std::string>(
        {"check", "report all that is wrong in a file", {"config check /etc/smsrack/smsrack.toml"}},
        check_file, usual_config);
    check.app.add_option("file", check.options, "the file")->capture_default_str();
    const auto show = config.command<std::string>(
        {"show", "show the effective configuration with its defaults", {"config show"}}, show_file,
        usual_config);
    show.app.add_option("file,--config", show.options, "the file")->capture_default_str();
}

}  // namespace smsrack::cli
