// `smsrack doctor`: says what is wrong with box, service and lines, and what to do; one line each.
// Where the service runs it is asked; where it does not, the ports are asked directly.
#include "db/write/pin_tries.hpp"
#include "firmware-host/setup/configuration.hpp"
#include "firmware-host/setup/text_file.hpp"
#include "src/config/settings.hpp"
#include "src/ports/pin.hpp"
#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/doctor/doctor_box.hpp"
#include "tools/smsrack/doctor/doctor_firmware.hpp"
#include "tools/smsrack/doctor/doctor_gate.hpp"
#include "tools/smsrack/doctor/doctor_line.hpp"
#include "tools/smsrack/doctor/doctor_rights.hpp"
#include "tools/smsrack/doctor/doctor_unit.hpp"
#include "tools/smsrack/doctor/finding.hpp"
#include "tools/smsrack/rack/config_command.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/rack/service_account.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/report.hpp"
#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/stop_signal.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <pwd.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace smsrack::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds service_limit{10};

/// What the service says of its configuration, what it starts with nevertheless too.
std::optional<config::Settings> read_config(const std::string& file, Findings& findings) {
    const auto text = host::read_text_file(file);
    if (!text) {
        findings.push_back(bad("config", "config_unreadable", text.error().context,
                               "`sudo smsrack doctor`, or name the file with --config"));
        return std::nullopt;
    }
    const ServiceAccount account;
    auto checked = host::configuration_of(*text, file, account.rights());
    if (!checked) {
        findings.push_back(bad("config", "config_bad",
                               checked.error().line_of(checked.error().problems.front()),
                               "`smsrack config check " + file + "` shows all problems"));
        auto settings = config::load_settings(*text, file);  // enough to look at the modems
        return settings ? std::optional(*std::move(settings)) : std::nullopt;
    }
    findings.push_back(
        well("config", file + ", " + counted(checked->settings.modems.size(), "modem")));
    for (const config::ConfigProblem& warning : checked->warnings) {
        // Such as a variable, which the service may have and this shell has not.
        if (warning.may_pass) {
            continue;
        }
        findings.push_back(bad("config", "config_warning", config::problem_line(file, warning),
                               "correct it, then run `smsrack reload`"));
    }
    return std::move(checked->settings);
}

struct Asked {
    bool runs = false;                      ///< then it has the ports
    std::optional<wire::Json> modems = {};  ///< nullopt: this account may not see them
    Findings conditions = {};               ///< what the service itself says is wrong
    /// the same of single modems, as the service writes it
    std::vector<wire::Json> of_modems = {};
};

constexpr std::string_view modem_prefix = "modem ";  // of a condition's subject

Finding finding_of(const wire::Json& condition, const TimeStyle& times) {
    std::string subject = text_of(condition, "subject");
    if (subject.starts_with(modem_prefix)) {
        subject.erase(0, modem_prefix.size());
    }
    return bad(std::move(subject), text_of(condition, "condition"),
               fmt::format("{} (since {})", text_of(condition, "text"),
                           times.to_seconds(text_of(condition, "since"))),
               text_of(condition, "advice"));
}

/// By what a service of this version says; one of an older version says none.
void ask_conditions(Service& service, const TimeStyle& times, Asked& asked) {
    const auto status = service.get("/v1/status");
    if (!status) {
        return;
    }
    if (auto other = judge_version(text_of(*status, "version"), SMSRACK_VERSION)) {
        asked.conditions.push_back(*std::move(other));
    }
    for (const wire::Json& one : array_of(*status, "conditions")) {
        if (text_of(one, "condition") == "configuration") {
            continue;  // the file is looked at here too
        }
        if (text_of(one, "subject").starts_with(modem_prefix)) {
            asked.of_modems.push_back(one);
        } else {
            asked.conditions.push_back(finding_of(one, times));
        }
    }
}

std::string this_account() {
    const passwd* const entry = ::getpwuid(::geteuid());  // NOLINT(concurrency-mt-unsafe)
    return entry != nullptr ? entry->pw_name : "ACCOUNT";
}

Asked ask_service(const std::string& socket, std::string_view config, const TimeStyle& times,
                  Findings& findings) {
    Service service(socket, -1, service_limit);
    const auto answer = service.get("/v1/modems");
    if (!answer && answer.error().code == ExitCode::not_allowed) {
        findings.push_back(bad("service", "not_allowed", answer.error().message,
                               fmt::format("`sudo smsrack doctor`; or `sudo usermod -aG "
                                           "smsrack-api,smsrack-read {}`, then log in again",
                                           this_account())));
        return {.runs = true};
    }
    if (!answer) {
        findings.push_back(bad("service", "service_unreachable", answer.error().message,
                               start_command(look_for_unit(), config)));
        return {};
    }
    findings.push_back(well("service", "answers on " + socket));
    Asked asked{.runs = true, .modems = array_of(*answer, "modems")};
    ask_conditions(service, times, asked);
    return asked;
}

/// A modem that does not send has one finding for that, which knows the rights of its port; the service's condition says the same.
void judge_line_served(const wire::Json& modem, const Asked& asked, const TimeStyle& times,
                       Findings& findings) {
    Finding judged = judge_served(modem, words_of(port_rights(text_of(modem, "port"))));
    Findings more;
    for (const wire::Json& one : asked.of_modems) {
        Finding finding = finding_of(one, times);
        if (finding.subject == judged.subject &&
            (judged.well() || text_of(one, "stops") == "nothing")) {
            more.push_back(std::move(finding));
        }
    }
    if (!judged.well() || more.empty()) {
        findings.push_back(std::move(judged));
    }
    std::ranges::move(more, std::back_inserter(findings));
}

void judge_lines_served(const Asked& asked, const std::optional<config::Settings>& settings,
                        const TimeStyle& times, Findings& findings) {
    const wire::Json& served = *asked.modems;
    for (const wire::Json& modem : served) {
        judge_line_served(modem, asked, times, findings);
    }
    for (const config::ModemSettings& modem :
         settings ? settings->modems : std::vector<config::ModemSettings>()) {
        if (std::ranges::none_of(served, [&](const wire::Json& line) {
                return text_of(line, "name") == modem.name;
            })) {
            findings.push_back(bad(modem.name, "not_served",
                                   "it is in the configuration, but the service does not know it",
                                   "`smsrack reload`"));
        }
    }
}

/// What the database remembers of the SIM in this port; nullopt if this user can't read it.
std::optional<WallTime> pin_refused(const config::Settings& settings,
                                    const config::ModemSettings& modem, const PortLook& look) {
    if (look.sim != "SIM PIN") {
        return std::nullopt;
    }
    const auto at = db::last_pin_refused(
        fs::path(settings.service.state_dir) / config::database_name,
        ports::pin_card({.iccid = look.iccid, .imei = look.imei, .port = modem.port}));
    return at.value_or(std::nullopt);
}

void look_at_ports(const config::Settings& settings, Context& context, Findings& findings) {
    const StopSignal stop;
    const RealClock clock;
    const auto stopped = [&stop] { return stop.wait_for(std::chrono::milliseconds(0)); };
    for (const config::ModemSettings& modem : settings.modems) {
        if (stopped()) {
            break;
        }
        context.console.progress("asking " + modem.port);
        const auto bauds = bauds_to_try(static_cast<std::uint32_t>(modem.line.baud),
                                        static_cast<std::uint32_t>(modem.line.fast_baud));
        const PortLook look = look_at(modem.port, bauds, clock, stopped);
        findings.push_back(judge_look(modem, look, words_of(port_rights(modem.port)),
                                      pin_refused(settings, modem, look)));
    }
    context.console.end_progress();
}

/// The folder of the database, or the nearest one above it that is there.
fs::path existing(fs::path folder) {
    std::error_code ignored;
    while (!fs::exists(folder, ignored) && folder.has_relative_path()) {
        folder = folder.parent_path();
    }
    return folder;
}

/// The files of this machine, where it is a box.
Findings look_at_this_firmware() {
    const RealClock clock;
    RealPrograms programs;
    return look_at_firmware({.programs = programs, .clock = clock, .wait = {}});
}

bool names(const Findings& findings, std::string_view subject) {
    return std::ranges::any_of(findings,
                               [&](const Finding& one) { return one.subject == subject; });
}

/// Where the running service says what is wrong with disk or clock, that is the finding.
void look_at_box(const std::optional<config::Settings>& settings, const Findings& said,
                 Findings& findings) {
    for (const Findings& more : {look_at_programs(), look_at_gates(), look_at_this_firmware()}) {
        findings.insert(findings.end(), more.begin(), more.end());
    }
    if (!settings) {
        return;
    }
    const fs::path folder = settings->service.state_dir;
    if (auto disk = look_at_disk(existing(folder)); disk && !names(said, "disk")) {
        findings.push_back(std::move(*disk));
    }
    if (auto rights = look_at_rights(*settings)) {
        findings.push_back(std::move(*rights));
    }
    if (auto clock = look_at_clock(folder / config::database_name, RealClock().wall());
        clock && !names(said, "clock")) {
        findings.push_back(std::move(*clock));
    }
}

wire::Json json_of_findings(const Findings& findings) {
    wire::Json list = wire::Json::array();
    for (const Finding& one : findings) {
        list.push_back({{"subject", one.subject},
                        {"ok", one.well()},
                        {"problem", or_null(one.problem)},
                        {"text", one.text},
                        {"advice", one.advice}});
    }
    return {{"ok", std::ranges::all_of(findings, &Finding::well)}, {"findings", std::move(list)}};
}

std::string words_of_findings(const Findings& findings, const Console& console) {
    std::size_t widest = 0;
    for (const Finding& one : findings) {
        widest = std::max(widest, columns_of(one.subject));
    }
    std::string text;
    for (const Finding& one : findings) {
        text += fmt::format("{} {:<{}}  {}{}{}\n", one.well() ? "ok  " : console.bold("BAD "),
                            printable(one.subject), widest, one.well() ? "" : one.problem + ": ",
                            printable(one.text),
                            one.advice.empty() ? "" : " -> " + printable(one.advice));
    }
    return text;
}

struct DoctorOptions {
    std::string config = usual_config;
};

/// done: all is well; failed: something is not.
Outcome<> examine(const DoctorOptions& options, Context& context) {
    Findings findings;
    const auto settings = read_config(options.config, findings);
    const std::string socket =
        settings && !context.socket_given ? settings->service.socket : context.socket;
    Findings service;
    const Asked asked = ask_service(socket, options.config, context.times, service);
    look_at_box(settings, asked.conditions, findings);
    for (const Findings& more : {service, asked.conditions}) {
        findings.insert(findings.end(), more.begin(), more.end());
    }
    if (asked.modems) {
        judge_lines_served(asked, settings, context.times, findings);
    } else if (settings && !asked.runs) {
        look_at_ports(*settings, context, findings);
    }
    (void)report(json_of_findings(findings), words_of_findings(findings, context.console), context);
    return std::ranges::all_of(findings, &Finding::well) ? ExitCode::done : ExitCode::failed;
}

}  // namespace

void declare_doctor(const CommandGroup& program) {
    const auto command =
        program.command({"doctor", "report what is wrong, and what to do", {"doctor"}}, examine);
    command.app.add_option("--config", command.options.config, "the service's configuration")
        ->capture_default_str();
}

}  // namespace smsrack::cli
