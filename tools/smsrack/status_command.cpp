#include "tools/smsrack/status_command.hpp"

#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/json_table.hpp"
#include "tools/smsrack/service.hpp"
#include "tools/smsrack/table.hpp"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string_view>

namespace smsrack::cli {
namespace {

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(seconds < 0 ? 0 : seconds);
    return fmt::format("{} d {:02}:{:02}:{:02}", whole / 86'400, whole / 3'600 % 24,
                       whole / 60 % 60, whole % 60);
}

std::string rate_text(const wire::Json& status, std::string_view member) {
    const auto rate = number_of(status, member);
    return rate ? fmt::format("{:.1f}/s", *rate) : "";
}

std::string seconds_text(const wire::Json& level, std::string_view member) {
    const auto ms = number_of(level, member);
    return ms ? fmt::format("{:.1f} s", *ms / 1'000) : "";
}

/// Where messages are refused, and what stands before the others.
void write_groups(const wire::Json& status, Context& context) {
    Table groups({{"GROUP", Align::left},
                  {"LEVEL", Align::right},
                  {"AHEAD", Align::right},
                  {"EXPECTED", Align::right},
                  {"RECENT TIME", Align::right},
                  {"ACCEPTS", Align::left}});
    std::string lines;
    for (const wire::Json& group : array_of(status, "groups")) {
        const auto rate = number_of(group, "rate");
        lines += fmt::format("{}: {} of {} lines can send{}\n", text_of(group, "name"),
                             text_of(group, "able"), text_of(group, "lines"),
                             rate ? fmt::format(", {:.2f} segments/s", *rate) : "");
        for (const wire::Json& level : array_of(group, "levels")) {
            const bool refuses = truth_of(level, "refuses");
            if (refuses || number_of(level, "t_recent_ms") || number_of(level, "ahead") > 0.0) {
                groups.add({text_of(group, "name"), text_of(level, "level"),
                            text_of(level, "ahead"), seconds_text(level, "expected_ms"),
                            seconds_text(level, "t_recent_ms"),
                            refuses ? "no, for now: overloaded" : "yes"});
            }
        }
    }
    if (!lines.empty()) {
        context.console.write("\n" + context.console.bold("groups") + "\n" + lines +
                              groups.text(context.console, "Nothing waits."));
    }
}

std::string figure_text(const wire::Json& figures, std::string_view member, double times,
                        std::string_view unit) {
    const auto value = number_of(figures, member);
    return value ? fmt::format("{:.3f} {}", *value * times, unit) : "";
}

/// What M/M/c says beside what is measured.
void write_model(const wire::Json& model, Context& context) {
    if (!model.is_object() || model.empty()) {
        return;
    }
    const auto mu = number_of(model, "mu");
    context.console.write("\n" + context.console.bold("model M/M/c and measured") + "\n" +
                          pairs_text({{"lambda", rate_text(model, "lambda")},
                                      {"mu", mu ? fmt::format("{:.3f}/s a line", *mu) : ""},
                                      {"lines", text_of(model, "servers")},
                                      {"load", text_of(model, "words")}}));
    const wire::Json& measured = object_of(model, "measured");
    Table figures({{"FIGURE", Align::left}, {"MODEL", Align::right}, {"MEASURED", Align::right}});
    const auto row = [&](const char* name, std::string_view member, double times,
                         std::string_view unit) {
        figures.add({name, figure_text(model, member, times, unit),
                     figure_text(measured, member, times, unit)});
    };
    row("waits for a line, P(wait)", "p_wait", 100, "%");
    row("mean wait, Wq", "wq_s", 1, "s");
    row("mean time to the network, Ws", "ws_s", 1, "s");
    context.console.write(figures.text(context.console, ""));
}

std::string counts_text(const wire::Json& counts) {
    return pairs_text(pairs_of(
        counts, std::array<std::string_view, 10>{"scheduled", "queued", "sending", "uncertain",
                                                 "sent", "delivered", "undelivered", "failed",
                                                 "expired", "cancelled"}));
}

}  // namespace

Outcome<> run(const StatusOptions& /*options*/, Context& context) {
    const auto status = Service(context.socket).get("/v1/status");
    if (!status) {
        return std::unexpected(status.error());
    }
    if (context.json) {
        context.console.write(json_line(*status) + "\n");
        return ExitCode::done;
    }
    const auto uptime = number_of(*status, "uptime_s");
    context.console.write(
        pairs_text({{"version", text_of(*status, "version")},
                    {"ready", truth_of(*status, "ready") ? "yes" : "no: no modem can send"},
                    {"up", uptime ? duration_text(*uptime) : ""},
                    {"accepted", rate_text(*status, "rate_in")},
                    {"sent", rate_text(*status, "rate_out")}}));
    for (const wire::Json& pause : array_of(*status, "pauses")) {
        const std::string name = text_of(pause, "name");
        context.console.write("\n" + context.console.bold("paused") + ": " +
                              (name.empty() ? "the rack" : text_of(pause, "scope") + " " + name) +
                              ", since " + short_time(text_of(pause, "since")) + "\n");
    }
    for (const wire::Json& warning : array_of(*status, "warnings")) {
        context.console.write("\n" + context.console.bold(text_of(warning, "warning")) + ": " +
                              text_of(warning, "detail") + "\n");
    }
    context.console.write("\n" + context.console.bold("messages") + "\n" +
                          counts_text(object_of(*status, "messages")));
    Table levels({{"LEVEL", Align::right},
                  {"WAITING", Align::right},
                  {"RECENT TIME", Align::right},
                  {"PROMISED", Align::right}});
    for (const wire::Json& level : array_of(*status, "levels")) {
        levels.add({text_of(level, "level"), text_of(level, "depth"),
                    seconds_text(level, "t_recent_ms"), seconds_text(level, "sla_ms")});
    }
    context.console.write("\n" + levels.text(context.console, "No levels."));
    write_groups(*status, context);
    write_model(object_of(*status, "model"), context);
    return ExitCode::done;
}

}  // namespace smsrack::cli
