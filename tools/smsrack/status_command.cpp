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
    const auto model = pairs_of(object_of(*status, "model"), {});
    if (!model.empty()) {
        context.console.write("\n" + context.console.bold("model and measured") + "\n" +
                              pairs_text(model));
    }
    return ExitCode::done;
}

}  // namespace smsrack::cli
