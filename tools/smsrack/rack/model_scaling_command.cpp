// `smsrack model scaling`: replays a load trace through the scaling controller; needs no service.
// bad_data for a trace that can't be read, with the numbers of its lines; usage for settings out of
// their range.
#include "src/scaling/policy.hpp"
#include "src/scaling/replay.hpp"
#include "src/scaling/rules.hpp"
#include "src/scaling/trace.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

namespace smsrack::cli {
namespace {

constexpr std::size_t trace_max_bytes = 64UL << 20U;  // a year of samples each 30 s has 30 MiB

struct ModelScalingOptions {
    std::string trace = {};  ///< file; "-": standard input
    std::string policy = "smsrack";
    double period_s = 30;
    scaling::ScalingRules rules = {};
};

Outcome<std::string> text_of_file(const std::string& file) {
    std::ifstream opened;
    if (file != "-") {
        opened.open(file, std::ios::binary);
        if (!opened) {
            return failure(ExitCode::bad_data, fmt::format("{}: can't be read", printable(file)));
        }
    }
    std::istream& stream = file == "-" ? std::cin : opened;
    std::ostringstream read;
    read << stream.rdbuf();
    if (read.bad() || (file != "-" && std::filesystem::is_directory(file))) {
        return failure(ExitCode::bad_data, fmt::format("{}: can't be read", printable(file)));
    }
    std::string text = std::move(read).str();
    if (text.size() > trace_max_bytes) {
        return failure(ExitCode::bad_data, fmt::format("{}: longer than 64 MiB", printable(file)));
    }
    return text;
}

Outcome<scaling::Trace> trace_of(const std::string& file, Context& context) {
    const auto text = text_of_file(file);
    if (!text) {
        return std::unexpected(text.error());
    }
    auto trace = scaling::read_trace(*text);
    if (trace) {
        return std::move(*trace);
    }
    const std::string name = file == "-" ? "standard input" : printable(file);
    const auto said = [&](const scaling::TraceProblem& problem) {
        return problem.line == 0 ? fmt::format("{}: {}", name, problem.message)
                                 : fmt::format("{}:{}: {}", name, problem.line, problem.message);
    };
    for (std::size_t i = 1; i < trace.error().size(); ++i) {
        context.console.complain(said(trace.error()[i - 1]));
    }
    return failure(ExitCode::bad_data, said(trace.error().back()));
}

wire::Json number(double value) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    return whole ? wire::Json(static_cast<std::int64_t>(value)) : wire::Json(value);
}

wire::Json json_of(const scaling::Decision& decision) {
    wire::Json rules = wire::Json::array();
    for (const scaling::Rule rule : decision.rules) {
        const std::string_view word = scaling::word_of(rule);
        rules.push_back(word.empty() ? wire::Json(static_cast<int>(rule)) : wire::Json(word));
    }
    return {{"t", number(std::chrono::duration<double>(decision.t).count())},
            {"load", number(decision.load)},
            {"n", decision.n},
            {"x", decision.x},
            {"y", decision.y},
            {"rules", std::move(rules)}};
}

void show(const scaling::Replay& replay, const scaling::ScalingRules& rules, Context& context) {
    Table table({{.heading = "SECONDS", .align = Align::right},
                 {.heading = "LOAD", .align = Align::right},
                 {.heading = "X", .align = Align::right},
                 {.heading = "NODES AND WHY", .fit = Fit::wraps}});
    for (const scaling::Decision& decision : replay.decisions) {
        table.add({fmt::format("{:g}", std::chrono::duration<double>(decision.t).count()),
                   fmt::format("{:.10g}", decision.load), fmt::format("{:+d}", decision.x),
                   scaling::words(decision, rules)});
    }
    context.console.write(
        table.text(context.console, "the trace is shorter than one decision window"));
    const scaling::Costs& costs = replay.costs;
    context.console.write(
        "\n" + pairs_text({{"changes", fmt::to_string(costs.changes)},
                           {"node-hours", fmt::format("{:.3f}", costs.node_hours)},
                           {"mean wait", fmt::format("{:.6f} s", costs.wait_by_message)},
                           {"longest backlog", fmt::format("{:.0f} messages", costs.backlog_max)}},
                          context.console));
}

Outcome<> model_scaling(const ModelScalingOptions& options, Context& context) {
    scaling::ScalingRules rules = options.rules;
    rules.period = std::chrono::round<std::chrono::milliseconds>(
        std::chrono::duration<double>(options.period_s));
    if (const auto checked = scaling::check(rules); !checked) {
        return failure(ExitCode::usage, checked.error().context);
    }
    const auto trace = trace_of(options.trace, context);
    if (!trace) {
        return std::unexpected(trace.error());
    }
    const auto samples = scaling::samples_of(*trace, rules.period);
    const auto policy =
        options.policy == "paper" ? scaling::PolicyName::paper : scaling::PolicyName::smsrack;
    const scaling::Replay replay = scaling::replay(samples, policy, rules);
    if (!context.json) {
        show(replay, rules, context);
        return ExitCode::done;
    }
    for (const scaling::Decision& decision : replay.decisions) {
        context.console.write(json_line(json_of(decision)) + "\n");
    }
    return ExitCode::done;
}

}  // namespace

void declare_model_scaling(const CommandGroup& model) {
    const auto [app, options, check] =
        model.command({"scaling",
                       "replay a load trace through the scaling controller",
                       {"model scaling --trace day.csv --nodes 8"}},
                      model_scaling);
    app.add_option("--trace", options.trace,
                   "CSV: seconds,load[,cpu][,occupancy][,forecast][,crash]; -: standard input")
        ->required();
    app.add_option("--policy", options.policy, "smsrack, or the policy exactly as published")
        ->check(CLI::IsMember({"paper", "smsrack"}))
        ->capture_default_str();
    app.add_option("--nodes", options.rules.n_max, "number of nodes")->capture_default_str();
    app.add_option("--node-rate", options.rules.node_rate,
                   "F: messages per second that one node can carry")
        ->capture_default_str();
    app.add_option("--n-min", options.rules.n_min, "fewest nodes; it starts with this many")
        ->capture_default_str();
    app.add_option("--samples", options.rules.samples, "m: samples per decision")
        ->capture_default_str();
    app.add_option("--period", options.period_s, "seconds between two samples")
        ->check(CLI::Range(0.001, 86'400.0))
        ->capture_default_str();
    app.add_option("--idle", options.rules.idle, "a: below this load a node is idle")
        ->capture_default_str();
    app.add_option("--busy", options.rules.busy, "b: above this load a node is busy")
        ->capture_default_str();
}

}  // namespace smsrack::cli
