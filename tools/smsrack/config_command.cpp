#include "tools/smsrack/config_command.hpp"

#include "src/causes/error_file.hpp"
#include "src/config/memory_need.hpp"
#include "src/config/settings_show.hpp"
#include "src/trigger/from_config.hpp"
#include "tools/smsrack/config_json.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/line_source.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <set>
#include <system_error>

namespace smsrack::cli {
namespace {

constexpr unsigned mib_bits = 20;

constexpr std::size_t file_max =
    std::size_t{16} * 1024 * 1024;  // octets: 1,024 modems take less than 1 MiB

Outcome<std::string> content_of(const std::string& file) {
    const client::UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::string content;
    std::string piece(LineSource::line_max, '\0');
    ssize_t count = fd ? 1 : -1;
    while (count > 0 && content.size() <= file_max) {
        count = ::read(fd.get(), piece.data(), piece.size());
        content.append(piece, 0, count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    if (count < 0) {
        return failure(ExitCode::failed,
                       fmt::format("{}: {}", file, std::generic_category().message(errno)));
    }
    if (content.size() > file_max) {
        return failure(ExitCode::bad_data, fmt::format("{}: longer than 16 MiB", file));
    }
    return content;
}

wire::Json problems_json(const std::string& file, const config::ConfigError& error) {
    wire::Json problems = wire::Json::array();
    for (const config::ConfigProblem& problem : error.problems) {
        problems.push_back(
            {{"line", problem.line}, {"key", problem.key}, {"message", problem.message}});
    }
    return {{"file", file}, {"ok", false}, {"problems", std::move(problems)}};
}

/// Says all that is wrong with a file.
std::unexpected<Failure> refused(const config::ConfigError& error, Context& context) {
    if (context.json) {
        context.console.write(json_line(problems_json(error.file, error)) + "\n");
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

/// The rows that the configuration lays over the product's error codes, if it names any.
Outcome<> check_error_table(const std::string& file, Context& context) {
    if (file.empty()) {
        return ExitCode::done;
    }
    const auto content = content_of(file);
    if (!content) {
        return std::unexpected(content.error());
    }
    if (const auto rows = causes::load_causes(*content, file); !rows) {
        return refused(rows.error(), context);
    }
    return ExitCode::done;
}

/// Files of topics, and the texts that go with them.
Outcome<> check_triggers(const config::Settings& settings) {
    for (const config::TriggerSettings& trigger : settings.triggers) {
        std::optional<std::string> topics;
        if (trigger.topics) {
            auto content = content_of(trigger.topics->file);
            if (!content) {
                return std::unexpected(content.error());
            }
            topics = *std::move(content);
        }
        if (const auto good = trigger::from_config(settings, trigger, topics); !good) {
            return failure(
                ExitCode::bad_data,
                fmt::format("{}trigger {}: {}", trigger.topics ? trigger.topics->file + ": " : "",
                            trigger.name, good.error().context));
        }
    }
    return ExitCode::done;
}

}  // namespace

Outcome<config::Settings> load_config(const std::string& file, Context& context) {
    const auto content = content_of(file);
    return content ? check_config(*content, file, context) : std::unexpected(content.error());
}

Outcome<config::Settings> check_config(std::string_view text, const std::string& file,
                                       Context& context) {
    auto settings = config::load_settings(text, file);
    if (!settings) {
        return refused(settings.error(), context);
    }
    if (auto checked = check_error_table(settings->service.error_table, context); !checked) {
        return std::unexpected(checked.error());
    }
    if (auto checked = check_triggers(*settings); !checked) {
        return std::unexpected(checked.error());
    }
    return std::move(*settings);
}

Outcome<> run(const ConfigCheckOptions& options, Context& context) {
    const auto settings = load_config(options.file, context);
    if (!settings) {
        return std::unexpected(settings.error());
    }
    std::set<std::string> groups;
    for (const config::ModemSettings& modem : settings->modems) {
        groups.insert(modem.line.group);
    }
    if (context.json) {
        context.console.write(
            json_line({{"file", options.file},
                       {"ok", true},
                       {"problems", wire::Json::array()},
                       {"memory_mib", config::memory_need(*settings) >> mib_bits}}) +
            "\n");
    } else {
        const std::size_t modems = settings->modems.size();
        context.console.write(
            fmt::format("{}: ok, {} modem{} in {} group{}, up to {} MiB of memory{}\n",
                        options.file, modems, modems == 1 ? "" : "s", groups.size(),
                        groups.size() == 1 ? "" : "s", config::memory_need(*settings) >> mib_bits,
                        settings->triggers.empty() ? "" : " and the filters of triggers"));
    }
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
