#include "tools/smsrack/config_command.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/config/memory_need.hpp"
#include "src/config/settings_show.hpp"
#include "tools/smsrack/config_json.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/service_account.hpp"

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
    const std::size_t count = error.problems.size();
    return failure(ExitCode::bad_data,
                   fmt::format("{}: {} problem{}; the service would not start with it", error.file,
                               count, count == 1 ? "" : "s"));
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

Outcome<> run(const ConfigCheckOptions& options, Context& context) {
    const auto text = host::read_text_file(options.file);
    if (!text) {
        return refused(host::unreadable(options.file, text.error()), context);
    }
    const auto checked = check_config(*text, options.file, context);
    if (!checked) {
        return std::unexpected(checked.error());
    }
    const config::Settings& settings = checked->settings;
    if (context.json) {
        context.console.write(
            json_line({{"file", options.file},
                       {"ok", true},
                       {"problems", wire::Json::array()},
                       {"warnings", list_of(options.file, checked->warnings)},
                       {"memory_mib", config::memory_need(settings) >> mib_bits}}) +
            "\n");
        return ExitCode::done;
    }
    for (const config::ConfigProblem& warning : checked->warnings) {
        context.console.note(printable(config::warning_line(options.file, warning)));
    }
    std::set<std::string> groups;
    for (const config::ModemSettings& modem : settings.modems) {
        groups.insert(modem.line.group);
    }
    const std::size_t modems = settings.modems.size();
    context.console.write(
        fmt::format("{}: ok, {} modem{} in {} group{}, up to {} MiB of memory{}\n", options.file,
                    modems, modems == 1 ? "" : "s", groups.size(), groups.size() == 1 ? "" : "s",
                    config::memory_need(settings) >> mib_bits,
                    settings.triggers.empty() ? "" : " and the filters of triggers"));
    return ExitCode::done;
}

Outcome<> run(const ConfigShowOptions& options, Context& context) {
    const auto settings = load_config(options.file, context);
    if (!settings) {
        return std::unexpected(settings.error());
    }
    context.console.write(context.json ? json_line(settings_as_json(*settings)) + "\n"
                                       : config::settings_as_toml(*settings));
    return ExitCode::done;
}

}  // namespace smsrack::cli
