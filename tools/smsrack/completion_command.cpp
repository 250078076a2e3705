#include "tools/smsrack/completion_command.hpp"

#include "src/sms/message_states.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <set>

namespace smsrack::cli {
namespace {

constexpr std::string_view script_begin =
    R"(# bash completion of smsrack. Load it with: source <(smsrack completion bash)
# Words come from outside: they are compared, and never expanded by the shell.
_smsrack_offer() {
    local word front=
    [[ $current == *:* ]] && front=${current%"${current##*:}"}
    while IFS= read -r word; do
        [[ -n $word && $word == "$current"* ]] && COMPREPLY+=("${word#"$front"}")
    done
}
_smsrack_names() {
    local socket= i
    for ((i = 1; i < COMP_CWORD - 1; i++)); do
        [[ ${COMP_WORDS[i]} == --socket ]] && socket=${COMP_WORDS[i + 1]}
    done
    _smsrack_offer < <("${COMP_WORDS[0]}" ${socket:+--socket "$socket"} names "$1" 2>/dev/null)
}
_smsrack() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path= word i first
    local -A children=() options=() files=() names=()
    # bash cuts words at ":", which names of batches may have
    first=$COMP_CWORD
    while ((first > 1)) && [[ ${COMP_WORDS[first]} == : || ${COMP_WORDS[first - 1]} == : ]]; do
        ((first--))
    done
    if ((first < COMP_CWORD)); then
        current=
        for ((i = first; i <= COMP_CWORD; i++)); do current+=${COMP_WORDS[i]}; done
        previous=${COMP_WORDS[first - 1]}
    fi
    COMPREPLY=()
)";

constexpr std::string_view script_middle = R"(    for ((i = 1; i < first; i++)); do
        word=${COMP_WORDS[i]}
        [[ " ${children[.$path]} " == *" $word "* ]] && path+="${path:+ }$word"
    done
    case $previous in
        --file | --config | --socket | --db | --board | --write | --trace) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --dir) COMPREPLY=($(compgen -d -- "$current")); return ;;
        --state) COMPREPLY=($(compgen -W "@STATES@" -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "csv ndjson" -- "$current")); return ;;
        --role) COMPREPLY=($(compgen -W "send read admin" -- "$current")); return ;;
        --group) _smsrack_names group; return ;;
        --batch) _smsrack_names batch; return ;;
        --client) _smsrack_names client; return ;;
        --modem) _smsrack_names modem; return ;;
        --step) COMPREPLY=($(compgen -W "1m 5m 1h 1d" -- "$current")); return ;;
)";

constexpr std::string_view script_end = R"(    esac
    COMPREPLY=($(compgen -W "${children[.$path]} ${options[.$path]}" -- "$current"))
    [[ -n ${names[.$path]} && $current != -* ]] && _smsrack_names "${names[.$path]}"
    [[ -n ${files[.$path]} && $current != -* ]] && COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _smsrack smsrack
)";

void add_node(const CommandNode& node, const std::string& path, std::string& out,
              std::set<std::string>& value_options) {
    std::vector<std::string> names;
    for (const CommandNode& child : node.children) {
        names.push_back(child.name);
    }
    out += fmt::format(
        "    children[\".{0}\"]=\"{1}\" options[\".{0}\"]=\"{2}\" files[\".{0}\"]=\"{3}\" "
        "names[\".{0}\"]=\"{4}\"\n",
        path, fmt::join(names, " "), fmt::join(node.options, " "), node.takes_file ? "yes" : "",
        node.takes_name);
    value_options.insert(node.value_options.begin(), node.value_options.end());
    for (const CommandNode& child : node.children) {
        add_node(child, path.empty() ? child.name : path + " " + child.name, out, value_options);
    }
}

/// Which names of the service a positional argument is: those of `modem show NAME` are modems.
std::string kind_of_name(const std::string& command, const std::string& argument) {
    const bool is_modem = command == "modem" || command == "at" || command == "ussd";
    const bool is_own =
        command == "trigger" || command == "client" || command == "batch" || command == "webhook";
    return argument == "name" && is_modem                          ? "modem"
           : is_own && (argument == "name" || argument == "batch") ? command
                                                                   : "";
}

}  // namespace

std::string bash_completion(const CommandNode& root) {
    std::string script(script_begin);
    std::set<std::string> value_options;
    add_node(root, "", script, value_options);
    constexpr std::string_view states = "@STATES@";
    std::string middle(script_middle);
    middle.replace(middle.find(states), states.size(),
                   fmt::format("{}", fmt::join(message_state_names, " ")));
    script += middle;
    for (const char* known :
         {"--file", "--config", "--socket", "--db", "--board", "--write", "--trace", "--dir",
          "--state", "--format", "--role", "--group", "--batch", "--client", "--modem", "--step"}) {
        value_options.erase(known);
    }
    if (!value_options.empty()) {
        script += fmt::format("        {}) return ;;\n", fmt::join(value_options, " | "));
    }
    script += script_end;
    return script;
}

CommandNode node_of(const CLI::App& app) {
    CommandNode node{.name = app.get_name()};
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            node.options.push_back("--" + name);
            if (option->get_expected_max() > 0) {
                node.value_options.push_back("--" + name);
            }
        }
        node.takes_file =
            node.takes_file || (option->get_positional() && option->get_name(true) == "file");
        if (option->get_positional()) {
            const std::string& parent = app.get_parent()->get_name();
            node.takes_name +=
                kind_of_name(parent == "smsrack" ? app.get_name() : parent, option->get_name(true));
        }
    }
    for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (!child->get_group().empty()) {
            node.children.push_back(node_of(*child));
        }
    }
    return node;
}

}  // namespace smsrack::cli
