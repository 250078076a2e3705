#include "firmware-host/setup/configuration.hpp"

#include "firmware-host/setup/error_table_file.hpp"
#include "firmware-host/setup/text_file.hpp"
#include "firmware-host/setup/trigger_files.hpp"
#include "src/config/settings_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <system_error>
#include <utility>

namespace smsrack::host {
namespace {

using config::ConfigProblem;
using config::ConfigProblems;

void append(ConfigProblems& to, ConfigProblems&& more) {
    std::ranges::move(more, std::back_inserter(to));
}

void move_rights(ConfigProblems& problems, ConfigProblems& warnings) {
    for (ConfigProblem& problem : problems) {
        if (problem.may_pass) {
            problem.message +=
                " (checked for this account; run it as root to check it for the service's)";
            warnings.push_back(problem);
        }
    }
    std::erase_if(problems, [](const ConfigProblem& problem) { return problem.may_pass; });
}

}  // namespace

std::expected<Configuration, config::ConfigError> configuration_of(std::string_view text,
                                                                   const std::string& file,
                                                                   Rights rights) {
    auto settings = config::load_settings(text, file);
    if (!settings) {
        return std::unexpected(std::move(settings.error()));
    }
    ConfigProblems warnings = config::settings_warnings(*settings);
    ConfigProblems problems = machine_problems(*settings);
    if (rights == Rights::of_another) {
        move_rights(problems, warnings);
    }
    auto errors = read_error_table(settings->service.error_table);
    if (!errors) {
        append(problems, std::move(errors.error()));
    }
    auto triggers = read_triggers(*settings, warnings);
    if (!triggers) {
        append(problems, std::move(triggers.error()));
    }
    if (!problems.empty()) {
        return std::unexpected(config::ConfigError{.file = file, .problems = std::move(problems)});
    }
    append(warnings, machine_warnings(*settings, rights));
    std::ranges::stable_sort(warnings, {}, &config::ConfigProblem::line);
    return Configuration{*std::move(settings), *std::move(errors), *std::move(triggers),
                         std::move(warnings)};
}

std::expected<Configuration, config::ConfigError> read_configuration(const std::string& file) {
    const auto text = read_text_file(file);
    if (!text) {
        return std::unexpected(unreadable(file, text.error()));
    }
    return configuration_of(*text, file);
}

config::ConfigError unreadable(const std::string& file, const Error& why) {
    return {
        .file = file,
        .problems = {{.message = "can't be read: " + std::generic_category().message(why.detail)}}};
}

ports::Condition condition_of(const config::ConfigProblems& warnings, const std::string& file) {
    const std::size_t more = warnings.size() - 1;
    return {.kind = ports::ConditionKind::configuration,
            .subject = "configuration",
            .text = config::problem_line(file, warnings.front()) +
                    (more == 0 ? "" : fmt::format(" (and {} more)", more)),
            .advice = fmt::format("`smsrack config check {}` shows all of it; correct it, then "
                                  "`smsrack reload`",
                                  file)};
}

}  // namespace smsrack::host
