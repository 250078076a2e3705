#include "tools/smsrack/command_line.hpp"

#include "tools/smsrack/firmware_grammar.hpp"
#include "tools/smsrack/help.hpp"
#include "tools/smsrack/rack_grammar.hpp"
#include "tools/smsrack/text_argument.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

constexpr const char* default_config = "/etc/smsrack/smsrack.toml";

/// Declares all commands; the one that is called puts its options into `chosen`.
class Grammar {
public:
    Grammar(CLI::App& app, CommandLine& line)
        : app_(app), line_(line), rack_(line.command), firmware_(line.command) {
        format_help(app_);
        app_.description(
            "Administers smsrack, the SMS rack, over the local socket of the service.");
        app_.set_version_flag("--version", "smsrack " SMSRACK_VERSION);
        app_.require_subcommand(1);
        app_.fallthrough();  // options of the program are accepted behind the command too
        app_.add_option("--socket", line_.socket, "socket of the service (default: SMSRACK_SOCKET)")
            ->capture_default_str();
        app_.add_flag("--json", line_.json, "print JSON instead of tables, for programs");
        app_.add_flag("--local", line_.local, "show times in this computer's zone instead of UTC");
        app_.add_flag("--wide", line_.wide, "show all columns, even wider than the terminal");
        app_.footer(
            "Exit codes: 0 done; 64 wrong usage; 65 bad input data; 69 service not reachable;\n"
            "75 try again later; 77 not allowed; 1 anything else.");
        declare_send();
        declare_preview();
        rack_.declare(app_);
        declare_messages();
        declare_control();
        declare_triggers();
        declare_clients();
        declare_modems();
        declare_offline();
        declare_upkeep();
        declare_tokens();
        firmware_.declare(app_);
        declare_looking();
        declare_pdu();
        declare_database();
        declare_completion();
        declare_help();
        add_examples(app_);
    }

    /// Words of `help`, once it was called.
    [[nodiscard]] std::optional<std::vector<std::string>> help_wanted() const {
        return wants_help_ ? std::optional(help_words_) : std::nullopt;
    }

    /// Commands and options, as they are declared.
    static CommandNode node_of(const CLI::App& app) {
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
                node.takes_name += kind_of_name(parent == "smsrack" ? app.get_name() : parent,
                                                option->get_name(true));
            }
        }
        for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
            if (!child->get_group().empty()) {
                node.children.push_back(node_of(*child));
            }
        }
        return node;
    }

private:
    CLI::App* command(CLI::App& parent, const char* name, const char* description) {
        return parent.add_subcommand(name, description);
    }

    template <typename Options>
    void chooses(CLI::App* command, const Options& options) {
        command->callback([this, &options] { line_.command = options; });
    }

    void declare_send() {
        CLI::App* send = command(app_, "send", "send one message, or a file of them");
        CLI::Option* to = send->add_option("--to", send_.to, "the recipient's number");
        CLI::Option* text = send->add_option("text", send_.text, "the text; -: standard input");
        CLI::Option* data =
            send->add_option("--data", send_.data, "hex octets to send instead of a text");
        CLI::Option* file =
            send->add_option("--file", send_file_.file,
                             "CSV with a header (to,text,...) or JSON Lines; -: standard input");
        CLI::Option* ref =
            send->add_option("--ref", send_.ref, "idempotency key: a ref is never sent twice");
        CLI::Option* wait =
            send->add_flag("--wait", send_.wait, "wait until it is sent or failed, with progress");
        send->add_option("--wait-max", wait_max_s_, "how many seconds --wait waits")
            ->check(CLI::Range(1, 2'592'000))
            ->capture_default_str();
        send->add_flag("--dry-run", dry_run_, "say what would happen; nothing is sent")
            ->excludes(wait);
        declare_fields(*send);
        text->excludes(data);
        for (CLI::Option* single : {to, text, data, ref, wait}) {
            file->excludes(single);
        }
        send->callback([this, to, text, data, file] {
            choose_send(!to->empty(), !text->empty() || !data->empty(), !file->empty());
        });
    }

    void declare_fields(CLI::App& send) {
        MessageFields& fields = send_.fields;
        send.add_option("--priority", fields.priority, "priority level, 0 (lowest) to 6")
            ->check(CLI::Range(0, 6));
        send.add_option("--ttl", fields.ttl_s, "expire after this many seconds")
            ->check(CLI::Range(1, 38'102'400));
        send.add_flag_callback(
            "--report", [&fields] { fields.report = true; }, "request a status report");
        send.add_flag_callback(
            "--no-report", [&fields] { fields.report = false; }, "request no status report");
        send.add_option("--class", fields.message_class,
                        "message class (0: displayed at once, not stored)")
            ->check(CLI::Range(0, 3));
        send.add_option("--group", fields.group, "group of modems that sends it");
        send.add_option("--batch", fields.batch,
                        "label to count, pause or cancel messages together");
        send.add_option("--client", fields.client, "name of the program that receives the results");
        send.add_option("--not-before", fields.not_before,
                        "send no earlier: an RFC 3339 time, or an offset such as +2h");
        send.add_flag("--allow-duplicate", fields.allow_duplicate,
                      "send even what [dedup] would refuse as a duplicate");
    }

    void choose_send(bool has_to, bool has_content, bool has_file) {
        if (has_file) {
            send_file_.fields = send_.fields;
            if (dry_run_) {
                line_.command = PreviewFileOptions{send_file_};
            } else {
                line_.command = send_file_;
            }
            return;
        }
        if (!has_to || !has_content) {
            throw CLI::RequiredError(has_to ? "a text (or --data, or --file)" : "--to (or --file)");
        }
        send_.wait_max = std::chrono::seconds(wait_max_s_);
        if (dry_run_) {
            line_.command = PreviewOptions{send_};
        } else {
            line_.command = send_;
        }
    }

    void declare_preview() {
        CLI::App* preview =
            command(app_, "preview", "show what would happen to a message; nothing is sent");
        CLI::Option* to = preview->add_option("--to", send_.to, "the recipient's number");
        to->required();
        CLI::Option* text = preview->add_option("text", send_.text, "the text; -: standard input");
        CLI::Option* data =
            preview->add_option("--data", send_.data, "hex octets to send instead of a text");
        text->excludes(data);
        declare_fields(*preview);
        preview->callback([this, text, data] {
            if (text->empty() && data->empty()) {
                throw CLI::RequiredError("a text (or --data)");
            }
            line_.command = PreviewOptions{send_};
        });
    }

    void declare_messages() {
        CLI::App* messages = command(app_, "messages", "list messages, newest first");
        messages->add_option("--state", messages_.state, "only those in this state")
            ->check(CLI::IsMember({"scheduled", "queued", "sending", "uncertain", "sent",
                                   "delivered", "undelivered", "failed", "expired", "cancelled"}));
        messages->add_option("--to", messages_.to, "only those to this number");
        messages->add_option("--ref", messages_.ref, "only the one with this ref");
        messages->add_option("--batch", messages_.batch, "only those of this batch");
        messages->add_option("--client", messages_.client, "only those of this client");
        messages->add_option("--since", messages_.since,
                             "only those accepted since: an RFC 3339 time, or an age such as 1h");
        messages
            ->add_option("--limit", messages_.limit,
                         "at most this many (default: what fits the terminal, else 100)")
            ->check(CLI::Range(1, 1'000'000'000));
        chooses(messages, messages_);

        CLI::App* show = command(app_, "show", "one message and its history");
        show->add_option("id", show_.id, "the message")->required();
        chooses(show, show_);

        CLI::App* explain =
            command(app_, "explain", "explain a message's history in words, and what to do");
        explain->add_option("id", explain_.id, "the message")->required();
        chooses(explain, explain_);

        CLI::App* cancel = command(app_, "cancel", "cancel a message that is still queued");
        cancel->add_option("id", cancel_.id, "the message")->required();
        chooses(cancel, cancel_);

        CLI::App* inbox = command(app_, "inbox", "received messages, oldest first");
        inbox->add_flag("--follow", inbox_.follow, "keep printing new messages until Ctrl-C");
        inbox->add_option("--since", inbox_.since,
                          "only those received since: an RFC 3339 time, or an age such as 1h");
        inbox->add_option("--limit", inbox_.limit, "at most this many")
            ->check(CLI::Range(1, 1'000'000'000))
            ->capture_default_str();
        chooses(inbox, inbox_);
    }

    void declare_control() {
        CLI::App* pause = command(app_, "pause", "pause the rack, a group or a batch");
        CLI::App* resume = command(app_, "resume", "resume the rack, a group or a batch");
        for (CLI::App* one : {pause, resume}) {
            CLI::Option* group = one->add_option("--group", pause_.group, "only this group");
            CLI::Option* batch = one->add_option("--batch", pause_.batch, "only this batch");
            group->excludes(batch);
            if (one == pause) {
                one->add_flag("--create", pause_.create, "even if no message has this batch yet")
                    ->needs(batch);
            }
            one->callback([this, again = one == resume] {
                pause_.resume = again;
                line_.command = pause_;
            });
        }

        CLI::App* batches = command(app_, "batches", "list batches of messages, with their counts");
        batches->add_option("--limit", batches_.limit, "at most this many")
            ->check(CLI::Range(1, 1'000'000'000))
            ->capture_default_str();
        chooses(batches, batches_);
        CLI::App* batch = command(app_, "batch", "one batch");
        batch->require_subcommand(1);
        CLI::App* cancel =
            command(*batch, "cancel", "cancel all its messages that were not sent, with progress");
        cancel->add_option("batch", batch_cancel_.batch, "its label")->required();
        chooses(cancel, batch_cancel_);

        CLI::App* optout = command(app_, "optout", "numbers that have opted out");
        optout->require_subcommand(1);
        CLI::App* list = command(*optout, "list", "all of them");
        list->add_option("--limit", opt_outs_.limit, "at most this many")
            ->check(CLI::Range(1, 1'000'000'000))
            ->capture_default_str();
        chooses(list, opt_outs_);
        CLI::App* add = command(*optout, "add", "send nothing more to this number");
        CLI::App* remove = command(*optout, "remove", "allow messages to it again");
        for (CLI::App* one : {add, remove}) {
            one->add_option("number", opt_out_.number, "the number")->required();
            one->callback([this, off = one == remove] {
                opt_out_.remove = off;
                line_.command = opt_out_;
            });
        }
    }

    void declare_tokens() {
        CLI::App* token = command(app_, "token", "access tokens for callers over the network");
        token->require_subcommand(1);
        CLI::App* fresh = command(*token, "new", "create a token; it is printed only once");
        fresh
            ->add_option_function<std::string>(
                "--role",
                [this](const std::string& name) {
                    token_new_.role = access::role_of(name).value();
                },
                "what the token permits")
            ->required()
            ->check(CLI::IsMember({"send", "read", "admin"}));
        fresh->add_option("--name", token_new_.name,
                          "name of the token (default: role and number)");
        fresh->add_option("--file", token_new_.file, "file that stores its hash")
            ->capture_default_str();
        chooses(fresh, token_new_);
        CLI::App* list = command(*token, "list", "list all tokens, without their secrets");
        list->add_option("--file", token_list_.file, "file that stores them")
            ->capture_default_str();
        chooses(list, token_list_);
        CLI::App* revoke = command(*token, "revoke", "revoke a token");
        revoke->add_option("name", token_revoke_.name, "its name")->required();
        revoke->add_option("--file", token_revoke_.file, "file that stores it")
            ->capture_default_str();
        chooses(revoke, token_revoke_);
    }

    void declare_triggers() {
        chooses(command(app_, "triggers", "list triggers (one message per number and topic)"),
                triggers_);
        CLI::App* trigger = command(app_, "trigger", "one trigger");
        trigger->require_subcommand(1);
        CLI::App* show = command(*trigger, "show", "show its counts, and each topic's filter");
        show->add_option("name", trigger_show_.name, "the trigger")->required();
        chooses(show, trigger_show_);
        CLI::App* feed =
            command(*trigger, "feed",
                    "feed it events as JSON Lines: {\"number\":\"+33...\",\"topic\":\"paris\"}");
        feed->add_option("name", trigger_feed_.name, "the trigger")->required();
        feed->add_option("file", trigger_feed_.file, "the events; -: standard input")
            ->capture_default_str();
        feed->add_option("--from-line", trigger_feed_.from_line, "continue with this line")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        chooses(feed, trigger_feed_);
        CLI::App* trace =
            command(*trigger, "trace", "show what happened to a number: verdict, message, report");
        trace->add_option("name", trigger_trace_.name, "the trigger")->required();
        trace->add_option("number", trigger_trace_.number, "the number")->required();
        trace->add_option("--topic", trigger_trace_.topic, "only this topic");
        chooses(trace, trigger_trace_);
        CLI::App* rebuild =
            command(*trigger, "rebuild", "rebuild its filters from the index, with progress");
        rebuild->add_option("name", trigger_rebuild_.name, "the trigger")->required();
        chooses(rebuild, trigger_rebuild_);
    }

    void declare_clients() {
        CLI::App* clients = command(app_, "clients", "list named clients, and what waits for each");
        clients->add_option("--limit", clients_.limit, "at most this many")
            ->check(CLI::Range(1, 1'000'000'000))
            ->capture_default_str();
        chooses(clients, clients_);
        CLI::App* client = command(app_, "client", "one of them");
        client->require_subcommand(1);
        const auto declare = [&](const char* word, const char* help, ClientOrder order) {
            CLI::App* one = command(*client, word, help);
            one->add_option("name", client_.name, "its name")->required();
            one->callback([this, order] {
                client_.order = order;
                line_.command = client_;
            });
        };
        declare("show", "what waits for it", ClientOrder::show);
        declare("block", "refuse its messages; keep its results", ClientOrder::block);
        declare("open", "accept its messages again", ClientOrder::open);
        declare("forget", "discard its results", ClientOrder::forget);
    }

    void declare_modems() {
        chooses(command(app_, "modems", "list modems, one row each"), modems_);
        CLI::App* modem = command(app_, "modem", "one modem");
        modem->require_subcommand(1);
        CLI::App* show = command(*modem, "show", "show all about one modem");
        show->add_option("name", modem_show_.name, "its name in the configuration")->required();
        chooses(show, modem_show_);
        CLI::App* reset = command(*modem, "reset", "restart it as soon as it is idle");
        reset->add_option("name", modem_reset_.modem, "its name in the configuration")->required();
        chooses(reset, modem_reset_);

        CLI::App* drain =
            command(*modem, "drain", "give it no new work, and wait until it is idle");
        drain->add_option("name", modem_drain_.modem, "its name in the configuration")->required();
        drain->add_flag("--no-wait", modem_drain_.no_wait, "do not wait until it is idle");
        chooses(drain, modem_drain_);
        CLI::App* resume = command(*modem, "resume", "give it work again");
        resume->add_option("name", modem_resume_.modem, "its name in the configuration")
            ->required();
        chooses(resume, modem_resume_);

        CLI::App* at = command(app_, "at", "send one AT command to a modem, between messages");
        at->add_option("name", at_.modem, "the modem's name in the configuration")->required();
        at->add_option("command", at_.command, "such as AT+CSQ; -: standard input")->required();
        at->add_flag("--force", at_.force, "allow what can lock or divert the SIM");
        chooses(at, at_);
        CLI::App* ussd =
            command(app_, "ussd", "send one USSD code through a modem, between messages");
        ussd->add_option("name", ussd_.modem, "the modem's name in the configuration")->required();
        ussd->add_option("code", ussd_.code, "such as *100#; -: standard input")->required();
        ussd->add_flag("--force", ussd_.force, "allow what can lock or divert the SIM");
        chooses(ussd, ussd_);
        chooses(command(app_, "status", "show the rack at a glance"), status_);
        CLI::App* scaling = command(app_, "scaling", "show how many modems are working, and why");
        scaling->add_option("--limit", scaling_.limit, "show this many of the newest decisions")
            ->check(CLI::Range(1, 1'000))
            ->capture_default_str();
        chooses(scaling, scaling_);
    }

    void declare_upkeep() {
        chooses(command(app_, "reload",
                        "apply a changed configuration; an invalid one changes nothing"),
                reload_);
        CLI::App* upgrade =
            command(app_, "upgrade", "hand over to another version; nothing is lost or repeated");
        upgrade->add_option("binary", upgrade_.binary, "the program of the other version")
            ->required();
        upgrade->add_flag("--yes", upgrade_.yes,
                          "agree to a migration of the database, after which there is no way back");
        chooses(upgrade, upgrade_);
    }

    void declare_offline() {
        CLI::App* config =
            command(app_, "config", "check or show a configuration; needs no service");
        config->require_subcommand(1);
        CLI::App* check = command(*config, "check", "report all that is wrong in a file");
        check->add_option("file", config_check_.file, "the file")->capture_default_str();
        chooses(check, config_check_);
        CLI::App* show =
            command(*config, "show", "show the effective configuration with its defaults");
        show->add_option("file,--config", config_show_.file, "the file")->capture_default_str();
        chooses(show, config_show_);

        CLI::App* model = command(app_, "model", "queueing models of a rack; needs no service");
        model->require_subcommand(1);
        CLI::App* mmc = command(*model, "mmc", "M/M/c: one queue, equal modems");
        mmc->add_option("--lambda", model_mmc_.lambda, "messages that arrive per second")
            ->required();
        mmc->add_option("--mu", model_mmc_.mu, "messages that one modem sends per second")
            ->required();
        CLI::Option* servers = mmc->add_option("--servers", model_mmc_.servers, "modems");
        CLI::Option* target =
            mmc->add_option("--target-wait", model_mmc_.target_wait,
                            "mean wait in seconds: prints how many modems are needed");
        target->excludes(servers);
        mmc->callback([this] {
            if (!model_mmc_.servers && !model_mmc_.target_wait) {
                throw CLI::RequiredError("--servers or --target-wait");
            }
            line_.command = model_mmc_;
        });
        declare_scaling(*model);
    }

    void declare_scaling(CLI::App& model) {
        scaling::ScalingRules& rules = model_scaling_.rules;
        CLI::App* replayed =
            command(model, "scaling", "replay a load trace through the scaling controller");
        replayed
            ->add_option(
                "--trace", model_scaling_.trace,
                "CSV: seconds,load[,cpu][,occupancy][,forecast][,crash]; -: standard input")
            ->required();
        replayed->add_option("--policy", policy_, "smsrack, or the policy exactly as published")
            ->check(CLI::IsMember({"paper", "smsrack"}))
            ->capture_default_str();
        replayed->add_option("--nodes", rules.n_max, "number of nodes")->capture_default_str();
        replayed
            ->add_option("--node-rate", rules.node_rate,
                         "F: messages per second that one node can carry")
            ->capture_default_str();
        replayed->add_option("--n-min", rules.n_min, "fewest nodes; it starts with this many")
            ->capture_default_str();
        replayed->add_option("--samples", rules.samples, "m: samples per decision")
            ->capture_default_str();
        replayed->add_option("--period", period_s_, "seconds between two samples")
            ->check(CLI::Range(0.001, 86'400.0))
            ->capture_default_str();
        replayed->add_option("--idle", rules.idle, "a: below this load a node is idle")
            ->capture_default_str();
        replayed->add_option("--busy", rules.busy, "b: above this load a node is busy")
            ->capture_default_str();
        replayed->callback([this] {
            model_scaling_.policy =
                policy_ == "paper" ? scaling::PolicyName::paper : scaling::PolicyName::smsrack;
            model_scaling_.rules.period = std::chrono::round<std::chrono::milliseconds>(
                std::chrono::duration<double>(period_s_));
            line_.command = model_scaling_;
        });
    }

    void declare_looking() {
        CLI::App* slots =
            command(app_, "slots", "identify the modem at every serial port; needs no service");
        slots->add_option("--dir", slots_.dir,
                          "ports in this folder instead of /dev, such as a test rig's");
        slots->add_option("--board", slots_.board,
                          "description of the board: names of its slots, power lines");
        slots->add_option("--write", slots_.write,
                          "write a whole configuration with the modems found to this file");
        chooses(slots, slots_);
        CLI::App* doctor = command(app_, "doctor", "report what is wrong, and what to do");
        doctor->add_option("--config", doctor_.config, "the service's configuration")
            ->capture_default_str();
        chooses(doctor, doctor_);
    }

    void declare_completion() {
        CLI::App* completion = command(app_, "completion", "print a script that completes words");
        completion->require_subcommand(1);
        command(*completion, "bash", "for bash: source <(smsrack completion bash)")
            ->callback([this] { line_.command = CompletionOptions{.root = node_of(app_)}; });
    }

    void declare_help() {
        CLI::App* help = command(app_, "help", "show the help of a command, as its --help does");
        help->add_option("command", help_words_, "the command, such as: modem drain");
        help->callback([this] { wants_help_ = true; });
    }

    void declare_database() {
        CLI::App* db = command(app_, "db", "check or copy the database; needs no service");
        db->require_subcommand(1);
        CLI::App* check = command(*db, "check", "read all of it and report whether it is intact");
        CLI::App* backup = command(*db, "backup", "copy it, also while the service runs");
        for (CLI::App* one : {check, backup}) {
            one->add_option("--config", where_.config, "configuration that names its folder")
                ->capture_default_str();
            one->add_option("--db", where_.database, "the database, instead");
        }
        check->callback([this] { line_.command = DbCheckOptions{.where = where_}; });
        backup->add_option("file", backup_file_, "the copy; must not exist yet")->required();
        backup->callback(
            [this] { line_.command = DbBackupOptions{.where = where_, .file = backup_file_}; });
    }

    void declare_pdu() {
        CLI::App* both = command(app_, "pdu", "decode and encode PDUs; needs no service");
        both->require_subcommand(1);
        CLI::App* decode = command(*both, "decode", "hex lines in, JSON Lines out");
        decode
            ->add_option("--direction", direction_,
                         "mt: to the mobile; mo: from it; auto: as a modem's memory has them")
            ->check(CLI::IsMember({"mt", "mo", "auto"}))
            ->capture_default_str();
        decode->add_flag("--no-smsc", pdu_decode_.no_smsc,
                         "the lines start after the service centre's address");
        decode->callback([this] {
            pdu_decode_.direction = direction_ == "mt"   ? pdu::Direction::to_mobile
                                    : direction_ == "mo" ? pdu::Direction::from_mobile
                                                         : pdu::Direction::stored;
            line_.command = pdu_decode_;
        });
        chooses(command(*both, "encode", "JSON Lines in, JSON Lines with the PDUs out"),
                pdu_encode_);
    }

    /// Which names of the service a positional argument is: those of `modem show NAME` are modems.
    static std::string kind_of_name(const std::string& command, const std::string& argument) {
        const bool is_modem = command == "modem" || command == "at" || command == "ussd";
        const bool is_own = command == "trigger" || command == "client" || command == "batch";
        return argument == "name" && is_modem                          ? "modem"
               : is_own && (argument == "name" || argument == "batch") ? command
                                                                       : "";
    }

    CLI::App& app_;
    CommandLine& line_;
    SendOptions send_;
    SendFileOptions send_file_;
    std::int64_t wait_max_s_ = 600;
    bool dry_run_ = false;
    bool wants_help_ = false;
    std::vector<std::string> help_words_;
    MessagesOptions messages_;
    ShowOptions show_;
    ExplainOptions explain_;
    CancelOptions cancel_;
    PauseOptions pause_;
    BatchesOptions batches_;
    BatchCancelOptions batch_cancel_;
    ClientsOptions clients_;
    ClientOptions client_;
    OptOutListOptions opt_outs_;
    OptOutChangeOptions opt_out_;
    TriggersOptions triggers_;
    TriggerShowOptions trigger_show_;
    TriggerFeedOptions trigger_feed_;
    TriggerTraceOptions trigger_trace_;
    TriggerRebuildOptions trigger_rebuild_;
    InboxOptions inbox_;
    ModemsOptions modems_;
    ModemShowOptions modem_show_;
    ModemResetOptions modem_reset_;
    ModemDrainOptions modem_drain_;
    ModemResumeOptions modem_resume_;
    ScalingOptions scaling_;
    AtOptions at_;
    UssdOptions ussd_;
    ReloadOptions reload_;
    UpgradeOptions upgrade_;
    TokenNewOptions token_new_;
    TokenListOptions token_list_;
    TokenRevokeOptions token_revoke_;
    RackGrammar rack_;
    FirmwareGrammar firmware_;
    SlotsOptions slots_;
    DoctorOptions doctor_{.config = default_config};
    StatusOptions status_;
    ConfigCheckOptions config_check_{.file = default_config};
    ConfigShowOptions config_show_{.file = default_config};
    ModelMmcOptions model_mmc_;
    ModelScalingOptions model_scaling_;
    std::string policy_ = "smsrack";
    double period_s_ = 30;
    PduDecodeOptions pdu_decode_;
    std::string direction_ = "auto";
    DatabaseChoice where_{.config = default_config};
    std::string backup_file_;
    PduEncodeOptions pdu_encode_;
};

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
    try {
        CLI::App app("", "smsrack");
        const Grammar grammar(app, line);
        try {
            std::vector<std::string> words(argv + 1, argv + argc);
            words = with_text_last(std::move(words), Grammar::node_of(app));
            std::ranges::reverse(words);  // as CLI11 takes them
            app.parse(std::move(words));
            if (const auto asked = grammar.help_wanted()) {
                auto text = help_of(app, *asked);
                if (!text) {
                    return std::unexpected(text.error());
                }
                line.command = JustPrint{std::move(*text)};
            }
        } catch (const CLI::CallForHelp&) {
            line.command = JustPrint{app.help()};
        } catch (const CLI::CallForAllHelp&) {
            line.command = JustPrint{app.help("", CLI::AppFormatMode::All)};
        } catch (const CLI::CallForVersion& version) {
            line.command = JustPrint{std::string(version.what()) + "\n"};
        } catch (const CLI::ParseError& error) {
            if (app.get_subcommands().empty() && app.remaining_size() > 0) {
                return failure(ExitCode::usage, no_such_word(app, app.remaining().front()));
            }
            return failure(
                ExitCode::usage,
                fmt::format("{} (see `{} --help`)", printable(error.what()), name_of_called(app)));
        }
    } catch (const CLI::Error& error) {
        return failure(ExitCode::usage, error.what());  // a grammar that contradicts itself
    }
    return line;
}

}  // namespace smsrack::cli
