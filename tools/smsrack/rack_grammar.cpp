#include "tools/smsrack/rack_grammar.hpp"

#include "src/sms/message_states.hpp"

#include <CLI/CLI.hpp>

#include <vector>

namespace smsrack::cli {

void RackGrammar::declare(CLI::App& app) {
    declare_watch(app);
    declare_export(app);
    declare_names(app);
}

void RackGrammar::declare_watch(CLI::App& app) {
    CLI::App* watch =
        app.add_subcommand("watch", "a live screen of the rack; q leaves it, ? shows its keys");
    watch->add_option("--every", watch_.every_s, "seconds between two requests to the service")
        ->check(CLI::Range(0.2, 3'600.0))
        ->capture_default_str();
    watch->add_option("--count", watch_.count, "end after this many updates; 0: never")
        ->capture_default_str();
    watch->callback([this] { chosen_ = watch_; });
}

void RackGrammar::declare_export(CLI::App& app) {
    CLI::App* rows = app.add_subcommand(
        "export", "export messages for a spreadsheet or a program, a row for each segment");
    rows->add_option("--since", export_.since,
                     "those accepted since: an RFC 3339 time, or an age such as 1h")
        ->required();
    rows->add_option("--state", export_.state, "only those in this state")
        ->check(CLI::IsMember(
            std::vector<std::string>(message_state_names.begin(), message_state_names.end())));
    rows->add_option("--batch", export_.batch, "only those of this batch");
    rows->add_option("--client", export_.client, "only those of this client");
    rows->add_option("--format", format_, "ndjson: an object for each row, as --json")
        ->check(CLI::IsMember({"csv", "ndjson"}))
        ->capture_default_str();
    rows->add_flag("--text", export_.text, "include the texts");
    rows->add_flag("--raw", export_.raw,
                   "CSV for programs: no byte order mark, no apostrophe before what a spreadsheet "
                   "would calculate");
    rows->callback([this] {
        export_.ndjson = format_ == "ndjson";
        chosen_ = export_;
    });
}

void RackGrammar::declare_names(CLI::App& app) {
    CLI::App* names = app.add_subcommand("names", "list what a word can be, for the completion");
    names->group("");  // not in the help
    names->add_option("kind", names_.kind, "modem, group, batch, trigger or client")->required();
    names->callback([this] { chosen_ = names_; });
}

}  // namespace smsrack::cli
