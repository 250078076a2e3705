// How fast is a backlog sent to a receiver that takes 5 ms for each event? And what memory does a
// backlog of 100,000 take?
#include "tools/bench/hook_parts.hpp"
#include "tools/bench/hook_run.hpp"
#include "tools/rig/bulk_load.hpp"
#include "tools/rig/usage.hpp"

#include <chrono>
#include <fmt/format.h>
#include <string>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;

constexpr unsigned connections = 16;
constexpr auto think = 5ms;
constexpr std::size_t sent_events = 20'000;
constexpr std::size_t usual_waiting = 100'000;
constexpr double least_rate = 2'000;
constexpr double most_mebibytes = 1;
constexpr auto settle = 5s;  // what a load allocates and gives back

double mebibytes(std::int64_t octets) {
    return static_cast<double>(octets) / (1024.0 * 1024.0);
}

/// Memory of service and gate that no other process has.
struct Both {
    std::int64_t service = 0;
    std::int64_t gate = 0;
};
Result<Both> memory_of_both(const Context& context, HookRun& run) {
    if (context.interrupt.rest(settle)) {
        return rig::called_off();
    }
    const auto service = rig::memory_of(run.rack().service_pid());
    const auto gate = rig::memory_of(run.gate_pid());
    if (!service || !gate) {
        return std::unexpected(service ? gate.error() : service.error());
    }
    return Both{.service = static_cast<std::int64_t>(service->dirty),
                .gate = static_cast<std::int64_t>(gate->dirty)};
}

Result<> submit(const Context& context, HookRun& run, std::size_t messages, unsigned number) {
    const auto load = rig::run_bulk(
        {.socket = run.rack().socket(), .lines_max = messages, .run = number}, context.interrupt);
    if (!load) {
        return std::unexpected(load.error());
    }
    return load->accepted == messages
               ? Result<>()
               : fail(Errc::protocol,
                      fmt::format("{} of {} messages were accepted", load->accepted, messages));
}

/// The webhook is off while messages come in; then it is opened.
Result<> ask_rate(const Context& context, HookRun& run, Report& report) {
    run.receiver(0).think(think);
    if (auto off = run.order(0, "off"); !off) {
        return off;
    }
    if (auto submitted = submit(context, run, sent_events, 1); !submitted) {
        return submitted;
    }
    run.receiver(0).forget();
    const auto begun = std::chrono::steady_clock::now();
    if (auto open = run.order(0, "open"); !open) {
        return open;
    }
    if (auto came = run.wait_for_events(0, sent_events); !came) {
        return came;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    if (const std::size_t came = run.receiver(0).came(); came < sent_events) {
        return fail(Errc::protocol, fmt::format("{} of {} events came", came, sent_events));
    }
    report.figures.push_back({.name = fmt::format("to a receiver that takes {} ms, {} connections",
                                                  think.count(), connections),
                              .value = static_cast<double>(sent_events) / took.count(),
                              .unit = "/s",
                              .decimals = 0,
                              .goal = at_least(least_rate)});
    return {};
}

/// With a receiver that refuses everything, after it has taken as many: what messages themselves take
/// is there before.
Result<> ask_memory(const Context& context, HookRun& run, Report& report) {
    const std::size_t waiting = context.options.messages.value_or(usual_waiting);
    run.receiver(0).think(0ms);
    run.receiver(0).forget();
    if (auto submitted = submit(context, run, waiting, 2); !submitted) {
        return submitted;
    }
    if (auto came = run.wait_for_events(0, waiting); !came) {
        return came;
    }
    const auto before = memory_of_both(context, run);
    run.receiver(0).be(HookReceiver::Manner::refuses);
    if (auto submitted = submit(context, run, waiting, 3); !submitted) {
        return submitted;
    }
    const auto after = memory_of_both(context, run);
    if (!before || !after) {
        return std::unexpected(before ? after.error() : before.error());
    }
    const double service = mebibytes(after->service - before->service);
    const double gate = mebibytes(after->gate - before->gate);
    const auto add = [&](const std::string& name, double value, Goal goal = {}) {
        report.figures.push_back(
            {.name = name, .value = value, .unit = "MiB", .decimals = 2, .goal = goal});
    };
    add("service before", mebibytes(before->service));
    add("gate before", mebibytes(before->gate));
    add(fmt::format("service, {} events waiting, more", waiting), service);
    add("gate, more", gate);
    add("both, more", service + gate, at_most(most_mebibytes));
    return {};
}

}  // namespace

/// Modems that take ten minutes for a submit, so that each message has one event.
Result<> hook_backlog(const Context& context, Report& report) {
    auto run = HookRun::start(
        context, "backlog",
        {.events = "message.queued",
         .parallel = connections,
         .sim_options = {"--service-ms", "600000", "--baud", "115200", "--report-ms", "-1"},
         .config = "[defaults]\nsubmit_timeout_s = 3600\nsubmit_slow_s = 3600\n[queue]\ncapacity = "
                   "10_000_000\n[priority]\nprotect = false\n"});
    if (!run) {
        return std::unexpected(std::move(run.error()));
    }
    if (auto rate = ask_rate(context, **run, report); !rate) {
        return rate;
    }
    return ask_memory(context, **run, report);
}

}  // namespace smsrack::bench
