#include "tools/smsrack/command_line.hpp"

#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/completion_command.hpp"
#include "tools/smsrack/help.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

/// In the order of the help.
constexpr std::array declarations{
    declare_send,     declare_preview,   declare_watch,     declare_export, declare_names,
    declare_messages, declare_message,   declare_inbox,     declare_pause,  declare_batches,
    declare_optout,   declare_triggers,  declare_clients,   declare_modems, declare_hand,
    declare_status,   declare_attention, declare_dashboard, declare_check,  declare_history,
    declare_scaling,  declare_audit,     declare_config,    declare_model,  declare_upkeep,
    declare_token,    declare_smpp,      declare_cluster,   declare_tls,    declare_webhook,
    declare_firmware, declare_slots,     declare_doctor,    declare_pdu,    declare_db};

Outcome<> just_print(const JustPrint& print, Context& context) {
    context.console.write(print.text);
    return ExitCode::done;
}

struct HelpOptions {
    std::vector<std::string> words = {};
    Outcome<std::string> text = {};  ///< of the command that they name
};

Outcome<> print_help(const HelpOptions& options, Context& context) {
    return options.text ? just_print({*options.text}, context)
                        : std::unexpected(options.text.error());
}

/// The two commands that speak of all the others.
void declare_words_about_words(const CommandGroup& program, const CLI::App& app) {
    const auto bash = program.group("completion", "print a script that completes words")
                          .command({"bash",
                                    "for bash: source <(smsrack completion bash)",
                                    {"completion bash > /etc/bash_completion.d/smsrack"}},
                                   just_print);
    bash.check = [&options = bash.options, &app] { options.text = bash_completion(node_of(app)); };
    const auto help = program.command(
        {"help", "show the help of a command, as its --help does", {"help modem drain"}},
        print_help);
    help.app.add_option("command", help.options.words, "the command, such as: modem drain");
    help.check = [&options = help.options, &app] { options.text = help_of(app, options.words); };
}

void declare_program(CLI::App& app, CommandLine& line) {
    format_help(app);
    app.description("Administers smsrack, the SMS rack, over the local socket of the service.");
    app.set_version_flag("--version", "smsrack " SMSRACK_VERSION);
    app.require_subcommand(1);
    app.fallthrough();  // options of the program are accepted behind the command too
    app.add_option("--socket", line.socket, "socket of the service (default: SMSRACK_SOCKET)")
        ->capture_default_str();
    app.add_flag("--json", line.json, "print JSON instead of tables, for programs");
    app.add_flag("--local", line.local, "show times in this computer's zone instead of UTC");
    app.add_flag("--wide", line.wide, "show all columns, even wider than the terminal");
    const CommandGroup program(app, line.command);
    for (const auto declare : declarations) {
        declare(program);
    }
    declare_words_about_words(program, app);
    app.footer(
        examples_text({"send --to +33612345678 \"The lift is repaired.\" --wait", "watch",
                       "messages --state failed", "doctor"}) +
        "\n\nExit codes: 0 done; 64 wrong usage; 65 bad input data; 69 service not reachable;\n"
        "75 try again later; 77 not allowed; 1 anything else.");
}

bool takes_value(const CommandNode& node, const std::string& word) {
    return std::ranges::find(node.value_options, word) != node.value_options.end();
}

bool is_text(std::string_view word) {
    if (!word.starts_with('-') || word.size() < 2 || word == "-h") {
        return false;
    }
    return !word.starts_with("--") || word.contains(' ');
}

/// The words behind "smsrack", with the text of `send` moved to the end, behind "--", where it can be
/// no option: a text such as "-hello" would be taken for one. A text is a word that begins with one
/// "-" and is not "-h", or that begins with "--" and has a blank. Other words stay where they are.
std::vector<std::string> with_text_last(std::vector<std::string> words, const CommandNode& root) {
    const auto send = std::ranges::find(root.children, "send", &CommandNode::name);
    bool in_send = false;
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        if (takes_value(root, words[i]) || (in_send && takes_value(*send, words[i]))) {
            ++i;  // its value
        } else if (in_send && is_text(words[i])) {
            std::string text = std::move(words[i]);
            words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
            words.emplace_back("--");
            words.push_back(std::move(text));
            break;
        } else if (!in_send && !words[i].starts_with('-')) {
            if (words[i] != "send") {
                break;  // another command
            }
            in_send = true;
        }
    }
    return words;
}

/// The command that was being read, for "see `smsrack send --help`".
std::string name_of_called(const CLI::App& app) {
    std::string name = "smsrack";
    const CLI::App* current = &app;
    while (!current->get_subcommands().empty()) {
        current = current->get_subcommands().front();
        name += " " + current->get_name();
    }
    return name;
}

}  // namespace

Outcome<CommandLine> parse_command_line(int argc, const char* const* argv,
                                        const std::string& default_socket) {
    CommandLine line{.socket = default_socket};
    const auto print = [&line](std::string text) {
        line.command = Command(JustPrint{std::move(text)}, just_print);
    };
    try {
        CLI::App app("", "smsrack");
        declare_program(app, line);
        try {
            std::vector<std::string> words(argv + 1, argv + argc);
            words = with_text_last(std::move(words), node_of(app));
            std::ranges::reverse(words);  // as CLI11 takes them
            app.parse(std::move(words));
        } catch (const CLI::CallForHelp&) {
            print(app.help());
        } catch (const CLI::CallForAllHelp&) {
            print(app.help("", CLI::AppFormatMode::All));
        } catch (const CLI::CallForVersion& version) {
            print(std::string(version.what()) + "\n");
        } catch (const CLI::ParseError& error) {
            if (app.get_subcommands().empty() && app.remaining_size() > 0) {
                return failure(ExitCode::usage, no_such_word(app, app.remaining().front()));
            }
            const std::string name = name_of_called(app);
            // What calls a plugin knows 0 to 3 alone.
            return failure(name == "smsrack check" ? ExitCode::unknown : ExitCode::usage,
                           fmt::format("{} (see `{} --help`)", printable(error.what()), name));
        }
    } catch (const CLI::Error& error) {
        return failure(ExitCode::usage, error.what());  // a grammar that contradicts itself
    }
    return line;
}

}  // namespace smsrack::cli
