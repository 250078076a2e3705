#include "tools/smsrack/help.hpp"

#include "src/config/rules.hpp"
#include "tools/smsrack/console.hpp"
#include "tools/smsrack/wrap.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <fmt/format.h>
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

struct Example {
    std::string_view command;  // "modem drain"; empty: the program
    std::string_view words;    // behind "smsrack "
};

constexpr std::array examples{
    Example{"", "send --to +33612345678 \"The lift is repaired.\" --wait"},
    Example{"", "watch"},
    Example{"", "messages --state failed"},
    Example{"", "doctor"},
    Example{"send", "send --to +33612345678 \"The lift is repaired.\" --wait"},
    Example{"send", "send --file customers.csv --batch spring --dry-run"},
    Example{"send", "send --file customers.csv --batch spring"},
    Example{"preview", "preview --to +33612345678 \"How many segments are this?\""},
    Example{"messages", "messages --state failed --since 2026-11-21T00:00:00Z"},
    Example{"messages", "messages --batch spring --json"},
    Example{"export", "export --since 2026-11-01T00:00:00Z > november.csv"},
    Example{"export", "export --since 2026-11-01T00:00:00Z --format ndjson > november.jsonl"},
    Example{"show", "show 42"},
    Example{"explain", "explain 42"},
    Example{"cancel", "cancel 42"},
    Example{"inbox", "inbox --follow"},
    Example{"inbox", "inbox --since 2026-11-21T00:00:00Z --local"},
    Example{"status", "status"},
    Example{"status", "status --json"},
    Example{"watch", "watch"},
    Example{"watch", "watch --every 5"},
    Example{"watch", "watch --count 1 | mail -s rack operator"},
    Example{"modems", "modems --wide"},
    Example{"modem show", "modem show m1"},
    Example{"modem drain", "modem drain m1"},
    Example{"modem resume", "modem resume m1"},
    Example{"modem reset", "modem reset m1"},
    Example{"at", "at m1 AT+CSQ"},
    Example{"ussd", "ussd m1 '*100#'"},
    Example{"scaling", "scaling --limit 50"},
    Example{"pause", "pause --group marketing"},
    Example{"resume", "resume --group marketing"},
    Example{"batches", "batches"},
    Example{"batch cancel", "batch cancel spring"},
    Example{"optout list", "optout list"},
    Example{"optout add", "optout add +33612345678"},
    Example{"optout remove", "optout remove +33612345678"},
    Example{"triggers", "triggers"},
    Example{"trigger show", "trigger show welcome"},
    Example{"trigger feed", "trigger feed welcome events.jsonl"},
    Example{"trigger trace", "trigger trace welcome +33612345678"},
    Example{"trigger rebuild", "trigger rebuild welcome"},
    Example{"clients", "clients"},
    Example{"client show", "client show billing"},
    Example{"client block", "client block billing"},
    Example{"client open", "client open billing"},
    Example{"client forget", "client forget billing"},
    Example{"config check", "config check /etc/smsrack/smsrack.toml"},
    Example{"config show", "config show"},
    Example{"reload", "reload"},
    Example{"upgrade", "upgrade /usr/local/bin/smsrackd"},
    Example{"model mmc", "model mmc --lambda 1.5 --mu 0.33 --servers 8"},
    Example{"model mmc", "model mmc --lambda 1.5 --mu 0.33 --target-wait 5"},
    Example{"model scaling", "model scaling --trace day.csv --nodes 8"},
    Example{"pdu decode", "pdu decode < pdus.txt"},
    Example{"pdu encode", "pdu encode < messages.jsonl"},
    Example{"db check", "db check"},
    Example{"db backup", "db backup /var/backups/smsrack.db"},
    Example{"slots", "slots"},
    Example{"slots", "slots --write /etc/smsrack/smsrack.toml"},
    Example{"doctor", "doctor"},
    Example{"token new", "token new --role send --name shop"},
    Example{"token list", "token list"},
    Example{"token revoke", "token revoke shop"},
    Example{"firmware status", "firmware status"},
    Example{"firmware install", "firmware install smsrack-2.0.raucb --reboot"},
    Example{"firmware confirm", "firmware confirm --wait 60"},
    Example{"firmware rollback", "firmware rollback"},
    Example{"firmware restore", "firmware restore"},
    Example{"firmware leds", "firmware leds --board /etc/smsrack/board.toml"},
    Example{"firmware time", "firmware time --set"},
    Example{"completion bash", "completion bash > /etc/bash_completion.d/smsrack"},
    Example{"help", "help modem drain"},
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

void add_examples_below(CLI::App& app, const std::string& path) {
    std::string text;
    for (const Example& example : examples) {
        if (example.command == path) {
            text += fmt::format("{}\n  smsrack {}", text.empty() ? "Examples:" : "", example.words);
        }
    }
    const auto children = app.get_subcommands([](CLI::App*) { return true; });
    if (children.empty()) {
        text += fmt::format("{}{}", text.empty() ? "" : "\n\n", of_every_command);
    }
    const std::string before = app.get_parent() == nullptr ? app.get_footer() : "";
    app.footer(before.empty() || text.empty() ? before + text : text + "\n\n" + before);
    for (CLI::App* child : children) {
        add_examples_below(*child,
                           path.empty() ? child->get_name() : path + " " + child->get_name());
    }
}

}  // namespace

void format_help(CLI::App& app) {
    app.formatter(std::make_shared<HelpFormatter>());
}

void add_examples(CLI::App& app) {
    add_examples_below(app, "");
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
