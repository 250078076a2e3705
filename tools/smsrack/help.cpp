#include "tools/smsrack/help.hpp"

#include "src/config/rules.hpp"
#include "tools/smsrack/screen/console.hpp"
#include "tools/smsrack/screen/wrap.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string_view>

namespace smsrack::cli {
namespace {

constexpr std::size_t columns = 80;
constexpr std::size_t text_from = 26;  // column where what a word means begins

/// "  --to TEXT            what it is", wrapped within the second column.
std::string entry(const std::string& name, const std::string& text) {
    const std::string first = "  " + name;
    if (text.empty()) {
        return first + "\n";
    }
    if (first.size() + 2 > text_from) {
        return hanging("  ", name, columns) + hanging(std::string(text_from, ' '), text, columns);
    }
    return hanging(first + std::string(text_from - first.size(), ' '), text, columns);
}

class HelpFormatter : public CLI::Formatter {
public:
    std::string make_description(const CLI::App* app) const override {
        std::string text = CLI::Formatter::make_description(app);
        while (text.ends_with('\n')) {
            text.pop_back();
        }
        return hanging("", text, columns);
    }
    std::string make_usage(const CLI::App* app, std::string name) const override {
        std::string text = CLI::Formatter::make_usage(app, name);
        while (text.ends_with('\n')) {
            text.pop_back();
        }
        return hanging("", text, columns);
    }
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        const std::string names =
            make_option_name(option, is_positional) + make_option_opts(option);
        return entry(CLI::detail::find_and_replace(names, ",", ", "), make_option_desc(option));
    }
    std::string make_subcommand(const CLI::App* command) const override {
        return entry(command->get_display_name(true), command->get_description());
    }
};

constexpr std::string_view of_every_command =
    "Every command takes --socket, --json, --local and --wide (see `smsrack --help`).";

CLI::App* child_of(const CLI::App& app, std::string_view name) {
    for (CLI::App* child : const_cast<CLI::App&>(app).get_subcommands(
             [name](CLI::App* one) { return one->get_name() == name; })) {
        return child;
    }
    return nullptr;
}

}  // namespace

void format_help(CLI::App& app) {
    app.formatter(std::make_shared<HelpFormatter>());
}

std::string examples_text(const std::vector<std::string>& examples) {
    return examples.empty()
               ? ""
               : fmt::format("Examples:\n  smsrack {}", fmt::join(examples, "\n  smsrack "));
}

std::string footer_of(const std::vector<std::string>& examples) {
    const std::string text = examples_text(examples);
    return fmt::format("{}{}{}", text, text.empty() ? "" : "\n\n", of_every_command);
}

Outcome<std::string> help_of(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* found = &app;
    std::string name = app.get_name();
    for (const std::string& word : words) {
        const CLI::App* child = child_of(*found, word);
        if (child == nullptr) {
            return failure(ExitCode::usage, no_such_word(*found, word));
        }
        found = child;
        name += " " + word;
    }
    return found->get_formatter()->make_help(found, name, CLI::AppFormatMode::Normal);
}

std::string no_such_word(const CLI::App& app, const std::string& word) {
    std::vector<std::string_view> names;
    for (const CLI::App* child :
         app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
        names.push_back(child->get_name());
    }
    const auto meant = config::near_miss(word, names);
    return fmt::format("no {} \"{}\"{} (see `smsrack --help`)",
                       word.starts_with('-') ? "option" : "command", printable(word),
                       meant ? fmt::format("; did you mean \"{}\"?", *meant) : "");
}

}  // namespace smsrack::cli
