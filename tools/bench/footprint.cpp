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

Result<> wait_until_sent(const Context& context, const rig::Rack& rack, std::uint64_t wanted) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    auto sent = submits_of(rack);
    while (sent && *sent < wanted) {
        if (std::chrono::steady_clock::now() > deadline) {
            return fail(Errc::timeout, fmt::format("{} of {} messages were sent", *sent, wanted));
        }
        if (context.interrupt.rest(100ms)) {
            return rig::called_off();
        }
        sent = submits_of(rack);
    }
    return sent ? Result<>{} : std::unexpected(sent.error());
}

/// CPU seconds of the service for 1,000 messages: accepted, stored, encoded, sent, result kept.
/// `bring` hands in worked_messages of them.
template <typename Bring>
Result<double> work(const Context& context, const rig::Rack& rack, const Bring& bring) {
    const auto sent_before = submits_of(rack);
    const auto before = rig::usage_of(rack.service_pid());
    if (!before || !sent_before) {
        return std::unexpected(before ? sent_before.error() : before.error());
    }
    const auto brought = bring();
    if (!brought) {
        return std::unexpected(brought.error());
    }
    if (brought->accepted != worked_messages) {
        return fail(Errc::protocol, fmt::format("{} of {} messages were accepted",
                                                brought->accepted, worked_messages));
    }
    if (auto sent = wait_until_sent(context, rack, *sent_before + worked_messages); !sent) {
        return std::unexpected(sent.error());
    }
    const auto after = rig::usage_of(rack.service_pid());
    if (!after) {
        return std::unexpected(after.error());
    }
    return (after->cpu - before->cpu).total() * 1000 / static_cast<double>(worked_messages);
}

Result<> ask_small(const Context& context, Report& report) {
    auto rack = rig::Rack::open(
        context.folder / "small",
        {.sim_options = {"--service-ms", "0", "--baud", "115200", "--report-ms", "-1"},
         .config = "[priority]\nprotect = false\n"},
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
    const auto batch = work(context, **rack, [&] {
        return rig::run_bulk({.socket = (*rack)->socket(), .lines_max = worked_messages, .run = 1},
                             context.interrupt);
    });
    const auto singly = work(context, **rack, [&] {
        return rig::run_load({.socket = (*rack)->socket(),
                              .arrivals = rig::even_arrivals(worked_rate, worked_messages),
                              .run = 2},
                             context.interrupt);
    });
    if (!idle || !batch || !singly) {
        return std::unexpected(!idle ? idle.error() : !batch ? batch.error() : singly.error());
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
    const auto cpu = [&](const char* name, double value) {
        report.figures.push_back(
            {.name = name, .value = value, .unit = "s", .decimals = 3, .goal = at_most({}, 0.15)});
    };
    cpu("CPU for 1,000 messages, of a batch", *batch);
    cpu("CPU for 1,000 messages, one by one", *singly);
    return {};
}

/// Modems that take ten minutes for a submit: what is queued stays queued.
Result<> ask_large(const Context& context, Report& report) {
    auto rack = rig::Rack::open(
        context.folder / "large",
        {.modems = many_modems,
         .sim_options = {"--service-ms", "600000", "--baud", "115200", "--report-ms", "-1"},
         // A million wait while the modems do not answer.
         .config = "[defaults]\nsubmit_timeout_s = 3600\nsubmit_slow_s = 3600\n\n"
                   "[priority]\nprotect = false\n"},
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
    Report report{
        .question = "footprint",
        .conditions = {"the modems have been on for long; default cache sizes, as in "
                       "intake; PSS of smsrackd alone",
                       fmt::format("CPU: user and system of smsrackd; {} messages through 8 "
                                   "modems without service time, as NDJSON and as POSTs at {}/s",
                                   worked_messages, worked_rate)}};
    if (auto asked = ask_small(context, report); !asked) {
        return std::unexpected(asked.error());
    }
    if (auto asked = ask_large(context, report); !asked) {
        return std::unexpected(asked.error());
    }
    return report;
}

}  // namespace smsrack::bench
