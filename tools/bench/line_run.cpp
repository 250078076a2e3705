#include "tools/bench/line_run.hpp"

#include "src/pdu/message_pdus.hpp"
#include "src/pdu/sms_submit.hpp"
#include "tools/rig/bulk_load.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/plain_client.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/wire_time.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace smsrack::bench {
namespace {

using std::chrono::steady_clock;

/// Skipped at the start of each window: the first submits come in step.
constexpr std::chrono::seconds ramp(2);

struct Window {
    SteadyTime from = {};
    SteadyTime to = {};
};

std::string hex_of(std::string_view octets) {
    std::string hex;
    for (const char octet : octets) {
        hex += fmt::format("{:02X}", static_cast<unsigned>(static_cast<unsigned char>(octet)));
    }
    return hex;
}

/// As the service makes it: with the validity of a day.
Result<std::string> one_pdu() {
    auto pdus = pdu::encode_message({.to = rig::MessageForm::recipient(0),
                                     .text = std::string(rig::forty_letters),
                                     .report = false},
                                    {.valid_for = std::chrono::hours(24)});
    if (!pdus) {
        return std::unexpected(pdus.error());
    }
    return pdus->front();
}

Result<Window> run_plain(const Context& context, const LinePlan& plan, const rig::Rack& rack) {
    const auto pdu = one_pdu();
    if (!pdu) {
        return std::unexpected(pdu.error());
    }
    const Window window{.from = steady_clock::now() + ramp,
                        .to = steady_clock::now() + ramp + plan.window};
    const auto answered = rig::run_plain_client({.ports = rack.ports(),
                                                 .pdu_hex = hex_of(*pdu),
                                                 .tpdu_octets = pdu::tpdu_length(*pdu),
                                                 .until = window.to},
                                                context.interrupt);
    if (!answered) {
        return std::unexpected(answered.error());
    }
    return window;
}

/// More than the modems can take until the window ends; where octets take no time, what is sent as a whole.
std::size_t messages_for(const LinePlan& plan) {
    constexpr double fastest = 90;          // messages a second of one line at 115200 baud
    constexpr std::size_t unpaced = 5'000;  // for each second asked for
    constexpr std::chrono::seconds loading(10);
    if (plan.baud == 0) {
        return unpaced * static_cast<std::size_t>(plan.window.count());
    }
    const double per_line =
        1 / (115'200.0 / plan.baud / fastest + std::chrono::duration<double>(plan.service).count());
    const auto seconds = std::chrono::duration<double>(plan.window + ramp + loading).count();
    return static_cast<std::size_t>(std::ceil(per_line * plan.modems * seconds));
}

struct Measured {
    Window window = {};
    std::size_t wanted = 0;  ///< messages
    rig::Usage service = {};
    rig::Usage modems = {};
};

Result<Measured> run_service(const Context& context, const LinePlan& plan, rig::Rack& rack) {
    if (auto started = rack.start_service(); !started) {
        return std::unexpected(started.error());
    }
    const std::size_t wanted = messages_for(plan);
    Measured measured{.window = {.from = steady_clock::now(), .to = {}}, .wanted = wanted};
    auto service_before = rig::usage_of(rack.service_pid());
    auto modems_before = rig::usage_of(rack.modems_pid());
    const auto loaded =
        rig::run_bulk({.socket = rack.socket(), .lines_max = wanted}, context.interrupt);
    if (!loaded) {
        return std::unexpected(loaded.error());
    }
    if (loaded->accepted != wanted) {
        return fail(Errc::protocol,
                    fmt::format("{} of {} messages were accepted", loaded->accepted, wanted));
    }
    if (plan.baud > 0) {  // else it is measured from the first to the last
        if (context.interrupt.rest(ramp)) {
            return rig::called_off();
        }
        measured.window.from = steady_clock::now();
        service_before = rig::usage_of(rack.service_pid());
        modems_before = rig::usage_of(rack.modems_pid());
    }
    if (context.interrupt.rest(plan.window)) {
        return rig::called_off();
    }
    const auto service_after = rig::usage_of(rack.service_pid());
    const auto modems_after = rig::usage_of(rack.modems_pid());
    measured.window.to = steady_clock::now();
    if (!service_before || !modems_before || !service_after || !modems_after) {
        return fail(Errc::closed, "a program ended while it was measured");
    }
    measured.service = *service_after - *service_before;
    measured.modems = *modems_after - *modems_before;
    rack.stop_service();
    return measured;
}

LineFigures figures_of(const std::vector<rig::SimSubmit>& submits, const Window& window) {
    std::vector<double> command;
    std::vector<double> entry;
    for (const rig::SimSubmit& submit : submits) {
        if (submit.at >= window.from && submit.at < window.to) {
            command.push_back(
                std::chrono::duration<double, std::milli>(submit.command_gap).count());
            entry.push_back(std::chrono::duration<double, std::milli>(submit.entry_gap).count());
        }
    }
    return {.rate = rig::steady_rate(submits, window.from, window.to),
            .command_gap_ms = rig::spread_of(std::move(command)),
            .entry_gap_ms = rig::spread_of(std::move(entry))};
}

/// When each message of the window was, in order.
std::vector<SteadyTime> sent_within(const std::vector<rig::SimSubmit>& submits,
                                    const Window& window) {
    std::vector<SteadyTime> sent;
    for (const rig::SimSubmit& submit : submits) {
        if (submit.at >= window.from && submit.at < window.to) {
            sent.push_back(submit.at);
        }
    }
    std::ranges::sort(sent);
    return sent;
}

}  // namespace

Result<LineRun> run_lines(const Context& context, const LinePlan& plan) {
    auto rack =
        rig::Rack::open(context.folder,
                        {.modems = plan.modems,
                         .sim_options = {"--service-ms", std::to_string(plan.service.count()),
                                         "--baud", std::to_string(plan.baud), "--report-ms", "-1"},
                         .config = "[priority]\nprotect = false\n"},  // all is to wait at once
                        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    const auto plain = run_plain(context, plan, **rack);
    if (!plain) {
        return std::unexpected(plain.error());
    }
    const auto service = run_service(context, plan, **rack);
    if (!service) {
        return std::unexpected(service.error());
    }
    const auto log = rig::read_sim_log((*rack)->sim_log());
    if (!log) {
        return std::unexpected(log.error());
    }
    if (log->submits.empty()) {
        return fail(Errc::protocol, "nothing was sent");
    }
    auto figures = figures_of(log->submits, service->window);
    double seconds = std::chrono::duration<double>(plan.window).count();
    std::size_t in_window = 0;
    if (plan.baud == 0) {  // until all was sent, or for as long as it was given
        const auto sent = sent_within(log->submits, service->window);
        in_window = sent.size();
        if (in_window > service->wanted) {
            return fail(Errc::protocol,
                        fmt::format("{} messages were sent {} times", service->wanted, in_window));
        }
        seconds = std::chrono::duration<double>(
                      (sent.size() == service->wanted ? sent.back() : service->window.to) -
                      service->window.from)
                      .count();
        figures.rate = static_cast<double>(sent.size()) / seconds;
    }
    const std::size_t pdu_octets = log->submits.back().pdu_octets;
    const double dialogue = rig::mean_submit_dialogue_octets(pdu_octets, pdu_octets - 1);
    std::optional<double> limit;
    if (plan.baud > 0) {
        limit = rig::wire_limit(dialogue, plan.baud, plan.service, plan.modems);
    }
    return LineRun{.limit = limit,
                   .plain = figures_of(log->submits, *plain),
                   .service = figures,
                   .seconds = seconds,
                   .sent = in_window,
                   .wanted = service->wanted,
                   .service_used = service->service,
                   .modems_used = service->modems};
}

std::vector<std::string> conditions_of(const LinePlan& plan) {
    return {
        fmt::format("{} modems, {} ms service time, {}; 40 GSM-7 characters, one segment, "
                    "reports off; {} s each",
                    plan.modems, plan.service.count(),
                    plan.baud == 0 ? "octets take no time" : fmt::format("{} baud", plan.baud),
                    plan.window.count())};
}

std::string cores_text(const std::string& program, const rig::Usage& used, double seconds) {
    std::vector<std::pair<double, std::string>> threads;
    for (const auto& [name, cpu] : used.threads) {
        threads.emplace_back(cpu / seconds, name);
    }
    std::ranges::sort(threads, std::greater<>());
    std::string text = fmt::format("{} {:.2f} cores ({:.0f} % of it in the kernel)", program,
                                   used.cpu.total() / seconds,
                                   100 * used.cpu.system / std::max(used.cpu.total(), 1e-9));
    constexpr std::size_t named = 5;
    for (std::size_t i = 0; i < std::min(named, threads.size()) && threads.size() > 1; ++i) {
        text +=
            fmt::format("{} {} {:.2f}", i == 0 ? ":" : ",", threads[i].second, threads[i].first);
    }
    return text;
}

}  // namespace smsrack::bench
