// How many submits a second are accepted, and how late? In an open loop, since clients do not wait
// for each other; while the modems send, since that is when it counts.
#include "tools/bench/line_run.hpp"
#include "tools/bench/questions.hpp"
#include "tools/rig/bulk_load.hpp"
#include "tools/rig/http_load.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"
#include "tools/rig/usage.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <thread>

namespace smsrack::bench {
namespace {

constexpr double bound_rate = 6'000;
constexpr double aim_rate = 12'000;  // the peak of a province's operator gateway
constexpr double bound_p99_ms = 25;
constexpr double bound_lines = 20'000;
constexpr double aim_lines = 50'000;
constexpr unsigned usual_seconds = 60;
constexpr unsigned usual_line_seconds = 15;

/// A rack of its own for each load: all begin with an empty database.
Result<std::unique_ptr<rig::Rack>> fresh_rack(const Context& context, const std::string& name) {
    auto rack = rig::Rack::open(
        context.folder / name,
        {.sim_options = {"--service-ms", "0", "--baud", "115200", "--report-ms", "-1"},
         .config = "[queue]\ncapacity = 10_000_000\n[priority]\nprotect = false\n"},
        context.interrupt);
    if (!rack) {
        return rack;
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    return rack;
}

struct Used {
    rig::Usage service;
    rig::Usage modems;
};

Result<Used> usage_of(const rig::Rack& rack) {
    auto service = rig::usage_of(rack.service_pid());
    auto modems = rig::usage_of(rack.modems_pid());
    if (!service || !modems) {
        return fail(Errc::closed, "a program ended while it was measured");
    }
    return Used{.service = std::move(*service), .modems = std::move(*modems)};
}

struct Cores {
    Used before;
    Used after;
    double seconds = 0;     // between them
    double client_cpu = 0;  // seconds
};

/// What had the cores.
void note_cores(Report& report, const std::string& load, const Cores& cores) {
    const auto& [before, after, seconds, client_cpu] = cores;
    const rig::Usage service = after.service - before.service;
    const rig::Usage modems = after.modems - before.modems;
    const double all = service.cpu.total() + modems.cpu.total() + client_cpu;
    report.notes.push_back(fmt::format(
        "{}: {:.2f} of {} cores busy: {}; {}; this client {:.2f} cores", load, all / seconds,
        std::thread::hardware_concurrency(), cores_text("smsrackd", service, seconds),
        cores_text("smsrack-sim", modems, seconds), client_cpu / seconds));
}

Result<> ask_rate(const Context& context, double rate, bool is_bound, Report& report) {
    const std::string name = fmt::format("{:.0f}/s", rate);
    auto rack = fresh_rack(context, fmt::format("{:.0f}", rate));
    if (!rack) {
        return std::unexpected(rack.error());
    }
    const auto before = usage_of(**rack);
    if (!before) {
        return std::unexpected(before.error());
    }
    const unsigned seconds = context.options.seconds.value_or(usual_seconds);
    const auto count = static_cast<std::size_t>(rate * seconds);
    const auto load =
        rig::run_load({.socket = (*rack)->socket(), .arrivals = rig::even_arrivals(rate, count)},
                      context.interrupt);
    if (!load) {
        return std::unexpected(load.error());
    }
    const auto after = usage_of(**rack);
    const auto log = rig::read_sim_log((*rack)->sim_log());
    if (!after || !log) {
        return std::unexpected(after ? log.error() : after.error());
    }
    const auto latency = rig::spread_of(load->latency_ms);
    const double reached = static_cast<double>(load->accepted) / std::max(load->seconds, 1e-9);
    const double within = rate * 0.999;  // the last answers come after the last request
    const auto add = [&](const char* what, double value, const char* unit, Goal goal = {}) {
        report.figures.push_back({.name = fmt::format("{} offered: {}", name, what),
                                  .value = value,
                                  .unit = unit,
                                  .goal = goal});
    };
    add("accepted", reached, "/s", is_bound ? at_least(within) : at_least({}, within));
    add("not accepted", static_cast<double>(load->refused + load->unanswered), "", at_most(0));
    add("latency, median", latency.p50, "ms");
    add("latency, p99", latency.p99, "ms",
        is_bound ? at_most(bound_p99_ms) : at_most({}, bound_p99_ms));
    add("latency, max", latency.max, "ms");
    add("sent by the modems meanwhile",
        static_cast<double>(log->submits.size()) / std::max(load->seconds, 1e-9), "/s");
    add("CPU of this client a request", 1e6 * load->cpu_seconds / static_cast<double>(count), "us");
    note_cores(report, name,
               {.before = *before,
                .after = *after,
                .seconds = load->seconds,
                .client_cpu = load->cpu_seconds});
    return {};
}

Result<> ask_lines(const Context& context, Report& report) {
    auto rack = fresh_rack(context, "lines");
    if (!rack) {
        return std::unexpected(rack.error());
    }
    const auto before = usage_of(**rack);
    constexpr std::size_t lines_max = 10'000'000;
    const auto bulk = rig::run_bulk(
        {.socket = (*rack)->socket(),
         .lines_max = lines_max,
         .lasting = std::chrono::seconds(context.options.seconds.value_or(usual_line_seconds))},
        context.interrupt);
    if (!before || !bulk) {
        return std::unexpected(before ? bulk.error() : before.error());
    }
    const auto after = usage_of(**rack);
    if (!after) {
        return std::unexpected(after.error());
    }
    report.figures.push_back({.name = "NDJSON: lines accepted",
                              .value = static_cast<double>(bulk->accepted) / bulk->seconds,
                              .unit = "/s",
                              .decimals = 0,
                              .goal = at_least(bound_lines, aim_lines)});
    report.figures.push_back({.name = "NDJSON: not accepted",
                              .value = static_cast<double>(bulk->refused),
                              .decimals = 0,
                              .goal = at_most(0)});
    note_cores(report, "NDJSON",
               {.before = *before,
                .after = *after,
                .seconds = bulk->seconds,
                .client_cpu = bulk->cpu_seconds});
    return {};
}

}  // namespace

Result<Report> intake(const Context& context) {
    Report report{
        .question = "intake",
        .conditions = {"open loop, 64 keep-alive connections, each request with its own "
                       "ref and to, 202 after the commit; latency from when it was due",
                       "meanwhile 8 modems send: zero service time, 115200 baud; 40 GSM-7 "
                       "characters, one segment, reports off; each load on an empty "
                       "database"}};
    std::vector<double> rates{bound_rate, aim_rate};
    if (context.options.rate) {
        rates = {*context.options.rate};
    }
    for (const double rate : rates) {
        if (auto asked = ask_rate(context, rate, rate <= bound_rate, report); !asked) {
            return std::unexpected(asked.error());
        }
    }
    if (auto asked = ask_lines(context, report); !asked) {
        return std::unexpected(asked.error());
    }
    return report;
}

}  // namespace smsrack::bench
