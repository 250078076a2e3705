#include "tools/smsrack/completion_command.hpp"

#include <fmt/format.h>
#include <set>

namespace smsrack::cli {
namespace {

constexpr std::string_view script_begin =
    R"(# bash completion of smsrack. Load it with: source <(smsrack completion bash)
_smsrack() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path= word i
    local -A children=() options=() files=()
)";

constexpr std::string_view script_middle = R"(    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        [[ " ${children[.$path]} " == *" $word "* ]] && path+="${path:+ }$word"
    done
    case $previous in
        --file | --config | --socket | --db | --board | --write) COMPREPLY=($(compgen -f -- "$current")); return ;;
        --state) COMPREPLY=($(compgen -W "scheduled queued sending uncertain sent delivered undelivered failed expired cancelled" -- "$current")); return ;;
)";

constexpr std::string_view script_end = R"(    esac
    COMPREPLY=($(compgen -W "${children[.$path]} ${options[.$path]}" -- "$current"))
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
        "    children[\".{0}\"]=\"{1}\" options[\".{0}\"]=\"{2}\" files[\".{0}\"]=\"{3}\"\n", path,
        fmt::join(names, " "), fmt::join(node.options, " "), node.takes_file ? "yes" : "");
    value_options.insert(node.value_options.begin(), node.value_options.end());
    for (const CommandNode& child : node.children) {
        add_node(child, path.empty() ? child.name : path + " " + child.name, out, value_options);
    }
}

}  // namespace

std::string bash_completion(const CommandNode& root) {
    std::string script(script_begin);
    std::set<std::string> value_options;
    add_node(root, "", script, value_options);
    script += script_middle;
    for (const char* known :
         {"--file", "--config", "--socket", "--db", "--board", "--write", "--state"}) {
        value_options.erase(known);
    }
    if (!value_options.empty()) {
        script += fmt::format("        {}) return ;;\n", fmt::join(value_options, " | "));
    }
    script += script_end;
    return script;
}

Outcome<> run(const CompletionOptions& options, Context& context) {
    context.console.write(bash_completion(options.root));
    return ExitCode::done;
}

}  // namespace smsrack::cli
