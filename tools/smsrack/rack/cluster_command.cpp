// `smsrack cluster boxes|show|drain|resume|leave|dead|check`: the boxes of the fleet, as this one sees them.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/cluster_words.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace smsrack::cli {
namespace {

using std::chrono::milliseconds;

// What is in flight ends within two minutes; the rest is given back at once.
constexpr std::chrono::minutes drains_within{10};

struct DrainOptions {
    std::string box = {};
    bool no_wait = false;
};

struct DeadOptions {
    std::string box = {};
    bool sure = false;
    bool unfenced = false;
};

// A program that fences or wakes a box may take a minute.
constexpr std::chrono::minutes power_within{2};

std::string target_of(const std::string& box, std::string_view call) {
    return fmt::format("/v1/cluster/boxes/{}/{}", client::percent_encoded(box), call);
}

Outcome<> order(const std::string& box, std::string_view call, std::string_view words,
                Context& context, milliseconds within = std::chrono::seconds(30)) {
    return report(
        about("box", box,
              Service(context.socket, -1, within)
                  .call({.method = "POST", .target = target_of(box, call)})),
        context, [&](const wire::Json&) { return fmt::format("{}: {}\n", printable(box), words); });
}

std::string rate_of(const wire::Json& box) {
    return fmt::format("{:.2f}", number_of(box, "messages_per_s").value_or(0));
}

std::string silence_of(const wire::Json& box) {
    const std::string seconds = text_of(box, "silent_s");
    return text_of(box, "state") == "silent" ? seconds + " s" : "";
}

Outcome<> list_boxes(Context& context) {
    const auto answer = Service(context.socket).get("/v1/cluster/boxes");
    if (!answer) {
        return std::unexpected(answer.error());
    }
    Table table({{"BOX"},
                 {"NO", Align::right, 6},
                 {"SITE", Align::left, 4},
                 {"STATE"},
                 {"SILENT", Align::right, 2},
                 {"MODEMS", Align::right, 1},
                 {"MSG/S", Align::right, 1},
                 {"HELD", Align::right},
                 {"FIRM", Align::right},
                 {"EPOCH", Align::right, 5},
                 {"ENGINE", Align::left, 3},
                 {"STAYS", Align::left, 4},
                 {"VERSION", Align::left, 2}});
    for (const wire::Json& box : array_of(*answer, "boxes")) {
        table.add({text_of(box, "name") + (truth_of(box, "self") ? " (this)" : ""),
                   text_of(box, "number"), text_of(box, "site"), text_of(box, "state"),
                   silence_of(box), text_of(box, "modems"), rate_of(box), text_of(box, "held"),
                   text_of(box, "firm"), text_of(box, "epoch"),
                   truth_of(box, "engine_node") ? "node" : "", text_of(box, "stays"),
                   text_of(box, "version")});
    }
    return report(*answer,
                  table.text(context.console,
                             "The engine has not answered this box yet; `smsrack cluster show` "
                             "says why."),
                  context);
}

std::vector<Pair> pairs_of_box(const wire::Json& box) {
    return {{"name", text_of(box, "name")},
            {"number", text_of(box, "number")},
            {"site", text_of(box, "site")},
            {"state", text_of(box, "state")},
            {"silent for", text_of(box, "silent_s") + " s"},
            {"version", text_of(box, "version")},
            {"modems that can send", text_of(box, "modems")},
            {"messages a second", rate_of(box)},
            {"held", text_of(box, "held")},
            {"firm", text_of(box, "firm")},
            {"epoch", text_of(box, "epoch")},
            {"part of the engine", truth_of(box, "engine_node") ? "yes" : "no"},
            {"is not parked, for", text_of(box, "stays")}};
}

std::vector<Pair> pairs_of_fleet(const wire::Json& fleet) {
    const std::string away = text_of(fleet, "away_s");
    return {{"this box", text_of(fleet, "name")},
            {"number", text_of(fleet, "number")},
            {"site", text_of(fleet, "site")},
            {"seat", text_of(fleet, "seat")},
            {"epoch", text_of(fleet, "epoch")},
            {"engine", away.empty() ? "answers" : "has not answered for " + away + " s"},
            {"trouble", text_of(fleet, "trouble")},
            {"begins firm messages", truth_of(fleet, "may_begin") ? "yes" : "no"},
            {"what it accepts is kept", text_of(fleet, "kept")},
            {"on this box alone", text_of(fleet, "kept_here")},
            {"waiting in the fleet", text_of(fleet, "waiting")},
            {"boxes", text_of(fleet, "boxes")}};
}

/// Nothing where boxes are not scaled.
std::vector<Pair> pairs_of_scaling(const wire::Json& fleet) {
    const auto scaling = fleet.find("scaling");
    if (scaling == fleet.end() || !truth_of(*scaling, "enabled")) {
        return {};
    }
    const std::string decision = text_of(*scaling, "decision");
    const std::string rate = text_of(*scaling, "node_rate");
    return {{"boxes in production",
             fmt::format("{} ({} to {})", text_of(*scaling, "nodes"), text_of(*scaling, "n_min"),
                         text_of(*scaling, "n_max"))},
            {"load", fmt::format("{} of {} messages a second and box", text_of(*scaling, "load"),
                                 rate.empty() ? "not yet known" : rate)},
            {"wakes and parks boxes", truth_of(*scaling, "can_order") ? "yes" : "no"},
            {"decisions", text_of(*scaling, "decisions")},
            {"last decision", decision.empty() ? "none"
                                               : fmt::format("{} (by {})", decision,
                                                             text_of(*scaling, "decided_by"))},
            {"could not be done", text_of(*scaling, "trouble")}};
}

Outcome<> show_fleet(Context& context) {
    const auto answer = Service(context.socket).get("/v1/cluster");
    if (!answer) {
        return std::unexpected(answer.error());
    }
    auto pairs = pairs_of_fleet(*answer);
    std::ranges::copy(pairs_of_scaling(*answer), std::back_inserter(pairs));
    return report(*answer,
                  truth_of(*answer, "joined")
                      ? pairs_text(pairs, context.console)
                      : "This box is in no fleet: its configuration has no [cluster].\n",
                  context);
}

Outcome<wire::Json> find_box(Service& service, const std::string& name) {
    auto answer = service.get("/v1/cluster/boxes");
    if (!answer) {
        return answer;
    }
    for (const wire::Json& box : array_of(*answer, "boxes")) {
        if (text_of(box, "name") == name) {
            return box;
        }
    }
    return failure(ExitCode::failed,
                   fmt::format("box {}: no box of the fleet has this name", printable(name)));
}

struct ShowOptions {
    std::string box = {};
};

Outcome<> show(const ShowOptions& options, Context& context) {
    if (options.box.empty()) {
        return show_fleet(context);
    }
    Service service(context.socket);
    return report(find_box(service, options.box), context, [&](const wire::Json& box) {
        return pairs_text(pairs_of_box(box), context.console);
    });
}

/// Until it has nothing. try_later: it still has after drains_within, or Ctrl-C came; the box continues to drain.
Outcome<> wait_until_drained(const std::string& name, Service& service, const StopSignal& stop,
                             Context& context) {
    constexpr milliseconds pause{500};
    const auto deadline = std::chrono::steady_clock::now() + drains_within;
    for (;;) {
        const auto box = find_box(service, name);
        if (!box && !service.interrupted()) {
            return std::unexpected(box.error());
        }
        const auto left = box ? count_of(*box, "held") + count_of(*box, "firm") : 1;
        if (box && text_of(*box, "state") == "draining" && left == 0) {
            context.console.end_progress();
            return report(*box,
                          printable(name) +
                              ": drained; it gets no work until `smsrack cluster "
                              "resume`\n",
                          context);
        }
        context.console.progress(fmt::format("{}: has {} messages ...", printable(name), left));
        if (service.interrupted() || stop.wait_for(pause) ||
            std::chrono::steady_clock::now() >= deadline) {
            context.console.end_progress();
            return failure(
                ExitCode::try_later,
                fmt::format("box {}: still has messages; it continues to drain, `smsrack "
                            "cluster boxes` shows when it is done",
                            printable(name)));
        }
    }
}

Outcome<> drain(const DrainOptions& options, Context& context) {
    const StopSignal stop;
    Service service(context.socket, stop.fd());
    auto answer =
        about("box", options.box,
              service.call({.method = "POST", .target = target_of(options.box, "drain")}));
    if (!answer || options.no_wait) {
        return report(answer, context, [&](const wire::Json&) {
            return printable(options.box) + ": gives back what it has not begun\n";
        });
    }
    return wait_until_drained(options.box, service, stop, context);
}

Outcome<> resume(const std::string& box, Context& context) {
    return order(box, "resume", "takes work again", context, power_within);
}

Outcome<> leave(const std::string& box, Context& context) {
    return order(box, "leave",
                 "has left the fleet for good; to come back it joins under another name", context);
}

/// False: the person did not type the name of the box behind these words.
bool is_typed(const std::string& box, std::string_view words) {
    std::cerr << words << " Type its name: ";
    std::string typed;
    std::getline(std::cin, typed);
    return typed == box;
}

Outcome<wire::Json> declare_dead(const std::string& box, bool unfenced, Context& context) {
    std::string target = target_of(box, "dead");
    if (unfenced) {
        target += "?unfenced=true";
    }
    return about("box", box,
                 Service(context.socket, -1, power_within)
                     .call({.method = "POST", .target = std::move(target)}));
}

/// The box could not be fenced. A person who is there may be certain all the same.
Outcome<wire::Json> insist(const DeadOptions& options, Failure failed, Context& context) {
    if (options.sure) {
        failed.message += "; --unfenced goes without";
        return std::unexpected(std::move(failed));
    }
    if (!is_typed(options.box,
                  fmt::format("{}\nYou can still insist, if you are certain that it does not send.",
                              failed.message))) {
        failed.message = "another name was typed; nothing was done";
        return std::unexpected(std::move(failed));
    }
    return declare_dead(options.box, true, context);
}

Outcome<> dead(const DeadOptions& options, Context& context) {
    if (!options.sure && ::isatty(STDIN_FILENO) == 0) {
        return failure(ExitCode::usage, "cluster dead: needs --sure where no person can be asked");
    }
    if (!options.sure &&
        !is_typed(
            options.box,
            fmt::format("{} will never send again, you say: [queue] uncertain decides what it "
                        "has firm.\nIf it still runs, messages may be sent twice.",
                        printable(options.box)))) {
        return failure(ExitCode::failed, "another name was typed; nothing was done");
    }
    auto answer = declare_dead(options.box, options.unfenced, context);
    if (!answer && answer.error().problem == "conflict") {
        answer = insist(options, answer.error(), context);
    }
    return report(answer, context, [&](const wire::Json& box) {
        return fmt::format(
            "{}: it {}will not send again; [queue] uncertain decides its firm "
            "messages\n",
            printable(options.box), truth_of(box, "fenced") ? "was fenced and " : "");
    });
}

Outcome<> check(Context& context) {
    const auto answer = Service(context.socket).get("/v1/cluster/check");
    if (!answer) {
        return std::unexpected(answer.error());
    }
    const auto told = report(*answer, facts_text(*answer, context.console), context);
    return truth_of(*answer, "good") || !told ? told : Outcome<>(ExitCode::failed);
}

}  // namespace

void declare_cluster(const CommandGroup& program) {
    const CommandGroup cluster = program.group("cluster", "several boxes as one gateway");
    declare_cluster_join(cluster);
    declare_cluster_power(cluster);
    cluster.command({"boxes", "list the boxes of the fleet", {"cluster boxes"}}, list_boxes);
    const auto shown = cluster.command(
        {"show", "show this box in its fleet, or another one", {"cluster show", "cluster show b2"}},
        show);
    shown.app.add_option("name", shown.options.box, "of the box; without it: this one");
    const auto drained = cluster.command(
        {"drain", "let a box give back its work, and wait until it has", {"cluster drain b2"}},
        drain);
    drained.app.add_option("name", drained.options.box, "of the box")->required();
    drained.app.add_flag("--no-wait", drained.options.no_wait, "do not wait until it has");
    cluster.command({"resume", "let a box take work again", {"cluster resume b2"}}, "name",
                    "of the box", resume);
    cluster.command({"leave", "let a drained box leave the fleet", {"cluster leave b2"}}, "name",
                    "of the box", leave);
    const auto lost = cluster.command(
        {"dead", "say that a box will never send again", {"cluster dead b2"}}, dead);
    lost.app.add_option("name", lost.options.box, "of the box")->required();
    lost.app.add_flag("--sure", lost.options.sure, "do not ask for the name to be typed");
    lost.app.add_flag("--unfenced", lost.options.unfenced,
                      "do not fence it: you are certain that it does not send");
    declare_cluster_upgrade(cluster);
    declare_cluster_rebuild(cluster);
    cluster.command({"check", "check the engine for what the fleet presumes", {"cluster check"}},
                    check);
}

}  // namespace smsrack::cli
