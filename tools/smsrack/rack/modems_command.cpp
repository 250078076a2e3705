#include "tools/smsrack/rack/modems_command.hpp"

#include "src/ports/fallback.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/doctor/doctor_line.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/json_table.hpp"
#include "tools/smsrack/screen/table.hpp"

#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace smsrack::cli {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array modem_members{
    "name"sv,     "port"sv,   "group"sv,    "link"sv,         "reason"sv,   "detail"sv,
    "manual"sv,   "parked"sv, "drained"sv,  "registration"sv, "operator"sv, "signal_dbm"sv,
    "number"sv,   "imei"sv,   "imsi"sv,     "iccid"sv,        "busy"sv,     "in_flight"sv,
    "accepted"sv, "failed"sv, "received"sv, "quota_left"sv,   "paused"sv,   "listens_at"sv};

/// "7/min 93/h 120/day": what is left of each quota.
std::string quota_of(const wire::Json& modem) {
    constexpr std::array words{std::pair{"minute", "min"}, std::pair{"hour", "h"},
                               std::pair{"day", "day"}, std::pair{"month", "month"},
                               std::pair{"recipients", "rcpt"}};
    const wire::Json& left = object_of(modem, "quota_left");
    std::string text;
    for (const auto& [window, word] : words) {
        if (left.contains(window)) {
            text += fmt::format("{}{}/{}", text.empty() ? "" : " ", text_of(left, window), word);
        }
    }
    return text;
}

/// "pending: registering", "active: quota": a modem that takes no work says why.
std::string link_of(const wire::Json& modem, const TimeStyle& times) {
    if (const std::string at = text_of(modem, "listens_at"); !at.empty()) {
        return "asleep, listens at " + times.to_seconds(at);
    }
    if (const std::string pause = text_of(object_of(modem, "paused"), "reason"); !pause.empty()) {
        return text_of(modem, "link") + ": " + pause;
    }
    if (truth_of(modem, "parked")) {
        return text_of(modem, "link") + ": parked";
    }
    const std::string reason = text_of(modem, "reason");
    return text_of(modem, "link") + (reason.empty() ? "" : ": " + reason);
}

std::string signal_of(const wire::Json& modem) {
    const std::string dbm = text_of(modem, "signal_dbm");
    return dbm.empty() ? "" : dbm + " dBm";
}

}  // namespace

Table table_of_modems(const wire::Json& modems, const TimeStyle& times) {
    Table table({{"NAME"},
                 {"LINK", Align::left, 0, Fit::wraps},
                 {"MANUAL", Align::left, 2},
                 {"OPERATOR", Align::left, 3, Fit::wraps},
                 {"SIGNAL", Align::right, 1},
                 {"BUSY", Align::left, 4},
                 {"ACCEPTED", Align::right},
                 {"FAILED", Align::right},
                 {"QUOTA LEFT", Align::left, 5, Fit::wraps},
                 {"NUMBER", Align::left, 6},
                 {"PORT", Align::left, 7}});
    for (const wire::Json& modem : modems) {
        table.add({text_of(modem, "name"), link_of(modem, times), text_of(modem, "manual"),
                   text_of(modem, "operator"), signal_of(modem),
                   truth_of(modem, "busy") ? "yes" : "no", text_of(modem, "accepted"),
                   text_of(modem, "failed"), quota_of(modem), text_of(modem, "number"),
                   text_of(modem, "port")});
    }
    return table;
}

namespace {

Outcome<> list_modems(Context& context) {
    return report(Service(context.socket).get("/v1/modems"), context, [&](const wire::Json& all) {
        return table_of_modems(array_of(all, "modems"), context.times)
            .text(context.console, "No modems are configured.");
    });
}

std::string all_about(const wire::Json& modem, const Context& context) {
    const Console& console = context.console;
    std::string text = pairs_text(pairs_of(modem, modem_members, context.times), console);
    if (const Finding finding = judge_served(modem); !finding.well()) {
        text += fmt::format("\n{}: {}\n", console.bold("What is wrong"), printable(finding.text));
        if (!finding.advice.empty()) {
            text += fmt::format("{}: {}\n", console.bold("What to do"), printable(finding.advice));
        }
    }
    const std::string name = text_of(modem, "name");
    for (const wire::Json& word : array_of(modem, "fallbacks")) {
        if (const ports::FallbackRow* const row = ports::find_fallback(text_of(word))) {
            text += fmt::format("\n{}: {}\n{}: {}\n", console.bold("Slower than configured"),
                                printable(ports::with_name(row->text, name)),
                                console.bold("What to do"),
                                printable(ports::with_name(row->advice, name)));
        }
    }
    return text;
}

Outcome<> show_modem(const std::string& name, Context& context) {
    const auto modem = Service(context.socket).get("/v1/modems/" + client::percent_encoded(name));
    return report(about("modem", name, modem), context,
                  [&](const wire::Json& found) { return all_about(found, context); });
}

}  // namespace

void declare_modems(const CommandGroup& program) {
    program.command({"modems", "list modems, one row each", {"modems --wide"}}, list_modems);
    const CommandGroup modem = program.group("modem", "one modem");
    modem.command({"show", "show all about one modem", {"modem show m1"}}, "name",
                  "its name in the configuration", show_modem);
    declare_modem_reset(modem);
    declare_modem_drain(modem);
}

}  // namespace smsrack::cli
