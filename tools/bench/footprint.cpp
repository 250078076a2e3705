// What memory, CPU time and start does it take? Idle, at work, and with a million messages waiting.
#include "tools/bench/questions.hpp"
#include "tools/rig/bulk_load.hpp"
#include "tools/rig/http_load.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/usage.hpp"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t usual_queue = 1'000'000;
constexpr unsigned many_modems = 256;
constexpr std::size_t worked_messages = 5'000;
constexpr double worked_rate = 500;  // below what eight lines at 115200 baud send
constexpr auto settle = 3s;          // what a start allocates and gives back
constexpr auto patience = 60s;

double mebibytes(std::uint64_t octets) {
    return static_cast<double>(octets) / (1024.0 * 1024.0);
}

double seconds_of(std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
}

/// How many submits the simulated modems took so far; asking them costs the service nothing.
Result<std::uint64_t> submits_of(const rig::Rack& rack) {
    const auto stats = rack.simulate({{"do", "stats"}});
    if (!stats) {
        return std::unexpected(stats.error());
    }
    std::uint64_t all = 0;
    for (const wire::Json& modem : stats->at("modems")) {
        all += modem.at("submits").get<std::uint64_t>();
    }
    return all;
}

/// CPU seconds of the service for 1,000 messages: POST, store, encode, send, result.
Result<double> work(const Context& context, const rig::Rack& rack) {
    const auto before = rig::usage_of(rack.service_pid());
    const auto load = rig::run_load(
        {.socket = rack.socket(), .arrivals = rig::even_arrivals(worked_rate, worked_messages)},
        context.interrupt);
    if (!before || !load) {
        return std::unexpected(before ? load.error() : before.error());
    }
    const auto deadline = std::chrono::steady_clock::now() + patience;
    auto sent = submits_of(rack);
    while (sent && *sent < load->accepted && std::chrono::steady_clock::now() < deadline) {
        if (context.interrupt.rest(100ms)) {
            return rig::called_off();
        }
        sent = submits_of(rack);
    }
    const auto after = rig::usage_of(rack.service_pid());
    if (!sent || !after) {
        return std::unexpected(sent ? after.error() : sent.error());
    }
    if (*sent < load->accepted) {
        return fail(Errc::timeout, "not all messages were sent");
    }
    return (after->cpu - before->cpu).total() * 1000 / static_cast<double>(*sent);
}

Result<> ask_small(const Context& context, Report& report) {
    auto rack = rig::Rack::open(
        context.folder / "small",
        {.sim_options = {"--service-ms", "0", "--baud", "115200", "--report-ms", "-1"}},
        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    const auto started = (*rack)->start_service();
    if (!started) {
        return std::unexpected(started.error());
    }
    if (context.interrupt.rest(settle)) {
        return rig::called_off();
    }
    const auto idle = rig::memory_of((*rack)->service_pid());
    const auto cpu = work(context, **rack);
    if (!idle || !cpu) {
        return std::unexpected(idle ? cpu.error() : idle.error());
    }
    report.figures.push_back({.name = "start to 8 modems ready",
                              .value = seconds_of(*started),
                              .unit = "s",
                              .decimals = 2,
                              .goal = at_most({}, 0.5)});
    report.figures.push_back({.name = "8 modems idle, PSS",
                              .value = mebibytes(idle->pss),
                              .unit = "MiB",
                              .goal = at_most({}, 8)});
    report.figures.push_back({.name = "CPU for 1,000 messages",
                              .value = *cpu,
                              .unit = "s",
                              .decimals = 3,
                              .goal = at_most({}, 0.15)});
    return {};
}

/// Modems that take ten minutes for a submit: what is queued stays queued.
Result<> ask_large(const Context& context, Report& report) {
    auto rack = rig::Rack::open(
        context.folder / "large",
        {.modems = many_modems,
         .sim_options = {"--service-ms", "600000", "--baud", "115200", "--report-ms", "-1"},
         .config = "[defaults]\nsubmit_timeout_s = 3600\nsubmit_slow_s = 3600\n"},
        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    const auto started = (*rack)->start_service();
    if (!started) {
        return std::unexpected(started.error());
    }
    const std::size_t wanted = context.options.messages.value_or(usual_queue);
    const auto loaded =
        rig::run_bulk({.socket = (*rack)->socket(), .lines_max = wanted}, context.interrupt);
    if (!loaded) {
        return std::unexpected(loaded.error());
    }
    if (context.interrupt.rest(settle)) {
        return rig::called_off();
    }
    const auto full = rig::memory_of((*rack)->service_pid());
    if (!full) {
        return std::unexpected(full.error());
    }
    report.figures.push_back({.name = fmt::format("start to {} modems ready", many_modems),
                              .value = seconds_of(*started),
                              .unit = "s",
                              .decimals = 2});
    report.figures.push_back(
        {.name = fmt::format("{} modems, {} messages queued, PSS", many_modems, loaded->accepted),
         .value = mebibytes(full->pss),
         .unit = "MiB",
         .goal = at_most({}, 96)});
    if (loaded->refused > 0) {
        report.notes.push_back(fmt::format("{} lines were refused", loaded->refused));
    }
    return {};
}

}  // namespace

Result<Report> footprint(const Context& context) {
    Report report{.question = "footprint",
                  .conditions = {"the modems have been on for long; default cache sizes, as in "
                                 "intake; PSS of smsrackd alone",
                                 fmt::format("CPU: user and system of smsrackd, {} messages, each "
                                             "its own POST, sent by 8 modems without service time",
                                             worked_messages)}};
    if (auto asked = ask_small(context, report); !asked) {
        return std::unexpected(asked.error());
    }
    if (auto asked = ask_large(context, report); !asked) {
        return std::unexpected(asked.error());
    }
    return report;
}

}  // namespace smsrack::bench
