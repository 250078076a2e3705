// `smsrack status`: shows the rack at a glance.
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/rack/status_view.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/screen/wrap.hpp"

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {
namespace {

/// "yes", or what keeps the rack from accepting or sending.
std::string ready_text(const wire::Json& status) {
    if (truth_of(status, "ready")) {
        return "yes";
    }
    std::string words;
    for (const wire::Json& one : array_of(status, "conditions")) {
        const std::string stops = text_of(one, "stops");
        if (stops == "sending" || stops == "all") {
            words += (words.empty() ? "" : ", ") + text_of(one, "condition");
        }
    }
    return "no: " + words;
}

/// "1 d 02:03:04, available 99.983 %".
std::string up_text(const wire::Json& status) {
    const auto uptime = number_of(status, "uptime_s");
    const std::string available = availability_text(status);
    return (uptime ? duration_text(*uptime) : "") +
           (available.empty() ? "" : fmt::format(", available {}", available));
}

/// Where messages are refused, and what is ahead of the others.
std::string groups_text(const wire::Json& status, const Console& console) {
    Table groups({{"GROUP", Align::left, 0, Fit::wraps},
                  {"LEVEL", Align::right},
                  {"AHEAD", Align::right},
                  {"EXPECTED", Align::right},
                  {"RECENT TIME", Align::right},
                  {"ACCEPTS", Align::left, 0, Fit::wraps}});
    std::vector<Pair> summaries;
    for (const wire::Json& group : array_of(status, "groups")) {
        const auto rate = number_of(group, "rate");
        summaries.push_back(
            {.name = "group " + text_of(group, "name"),
             .value = fmt::format("{} of {} modems can send{}", text_of(group, "able"),
                                  text_of(group, "lines"),
                                  rate ? fmt::format(", {:.2f} segments/s", *rate) : "")});
        for (const wire::Json& level : array_of(group, "levels")) {
            const bool refuses = truth_of(level, "refuses");
            if (refuses || number_of(level, "ahead") > 0.0) {
                groups.add({text_of(group, "name"), text_of(level, "level"),
                            text_of(level, "ahead"), seconds_text(level, "expected_ms"),
                            seconds_text(level, "t_recent_ms"),
                            refuses ? "no, for now: overloaded" : "yes"});
            }
        }
    }
    return (summaries.empty() ? "" : "\n" + pairs_text(summaries, console)) +
           (groups.empty() ? "" : groups.text(console, ""));
}

std::string figure_text(const wire::Json& figures, std::string_view member, double times,
                        std::string_view unit) {
    const auto value = number_of(figures, member);
    return value ? fmt::format("{:.3f} {}", *value * times, unit) : "";
}

/// What M/M/c says next to what is measured.
std::string model_text(const wire::Json& model, const Console& console) {
    if (model.empty()) {
        return "";
    }
    const auto mu = number_of(model, "mu");
    const std::string words =
        "\n" +
        pairs_text(
            {{.name = "model M/M/c",
              .value = fmt::format("lambda {}, mu {}, {} modems: {}", rate_text(model, "lambda"),
                                   mu ? fmt::format("{:.3f}/s for a modem", *mu) : "not known",
                                   text_of(model, "servers"), text_of(model, "words"))}},
            console);
    const wire::Json& measured = object_of(model, "measured");
    Table figures({{"FIGURE", Align::left, 0, Fit::wraps},
                   {"MODEL", Align::right},
                   {"MEASURED", Align::right}});
    const auto row = [&](const char* name, std::string_view member, double times,
                         std::string_view unit) {
        figures.add({name, figure_text(model, member, times, unit),
                     figure_text(measured, member, times, unit)});
    };
    row("waits for a modem, P(wait)", "p_wait", 100, "%");
    row("mean wait, Wq", "wq_s", 1, "s");
    row("mean time to the network, Ws", "ws_s", 1, "s");
    return words + figures.text(console, "");
}

std::string words_of_status(const wire::Json& status, const Context& context) {
    const Console& console = context.console;
    std::string text = pairs_text({{"version", text_of(status, "version")},
                                   {"ready", ready_text(status)},
                                   {"up", up_text(status)},
                                   {"accepted", rate_text(status, "rate_in")},
                                   {"sent", rate_text(status, "rate_out")},
                                   {"messages", counts_text(object_of(status, "messages"))}},
                                  console);
    for (const Pair& trouble : troubles_of(status, context.times)) {
        const std::string lines =
            hanging(trouble.name + ": ", printable(trouble.value), console.traits().out_columns);
        text += console.bold(trouble.name) + lines.substr(trouble.name.size());
    }
    return text + "\n" + table_of_levels(array_of(status, "levels")).text(console, "No levels.") +
           groups_text(status, console) + model_text(object_of(status, "model"), console);
}

Outcome<> show_status(Context& context) {
    return report(Service(context.socket).get("/v1/status"), context,
                  [&](const wire::Json& status) { return words_of_status(status, context); });
}

}  // namespace

void declare_status(const CommandGroup& program) {
    program.command({"status", "show the rack at a glance", {"status", "status --json"}},
                    show_status);
}

}  // namespace smsrack::cli
