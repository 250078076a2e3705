// What does a message cost: octets written, syncs, pages, processor time? Alone, each step by
// itself, and in company.
#include "tools/bench/cost_alone.hpp"
#include "tools/bench/questions.hpp"
#include "tools/rig/bulk_load.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/service_cost.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t usual_alone = 150;
constexpr std::size_t company_per_alone = 100;  // messages in company for each one alone
constexpr auto patience = 120s;
constexpr auto last_commit = 1s;  // after the last submit

struct Bounds {
    Goal written = {};
    Goal syncs = {};
    Goal cpu = {};
};

/// Of `messages` messages, each.
void add_figures(Report& report, const std::string& what, const rig::ServiceCost& cost,
                 std::size_t messages, const Bounds& bounds = {}) {
    const auto each = [&](std::int64_t sum) {
        return static_cast<double>(sum) / static_cast<double>(messages);
    };
    report.figures.push_back({.name = what + ": written",
                              .value = each(cost.process.written) / 1024,
                              .unit = "KiB",
                              .goal = bounds.written});
    report.figures.push_back({.name = what + ": syncs",
                              .value = each(cost.disk.syncs),
                              .unit = "",
                              .decimals = 2,
                              .goal = bounds.syncs});
    report.figures.push_back(
        {.name = what + ": pages of the log", .value = each(cost.disk.log_pages), .unit = ""});
    report.figures.push_back({.name = what + ": processor, for 1,000",
                              .value = each(cost.process.all_cpu_ns()) * 1000 / 1e9,
                              .unit = "s",
                              .decimals = 3,
                              .goal = bounds.cpu});
}

/// "store-w 0.880, loop 0.210 s", for 1,000 messages.
std::string threads_text(const rig::ServiceCost& cost, std::size_t messages) {
    std::vector<std::pair<std::int64_t, std::string>> threads;
    for (const auto& [name, ran] : cost.process.cpu_ns) {
        threads.emplace_back(ran, name);
    }
    std::ranges::sort(threads, std::greater<>());
    std::string text;
    constexpr std::size_t named = 6;
    for (std::size_t i = 0; i < std::min(named, threads.size()); ++i) {
        text += fmt::format(
            "{}{} {:.3f}", i == 0 ? "" : ", ", threads[i].second,
            static_cast<double>(threads[i].first) / 1e6 / static_cast<double>(messages));
    }
    return text + " s";
}

Result<> ask_alone(const Context& context, Report& report, std::size_t messages) {
    const auto cost = measure_alone(context, messages);
    if (!cost) {
        return std::unexpected(cost.error());
    }
    rig::ServiceCost whole = cost->accept_and_begin;
    add(whole, cost->end);
    rig::ServiceCost begin = cost->accept_and_begin;
    add(begin, cost->accept.process, {});
    add(begin, cost->accept.disk, {});
    add_figures(report, "alone, whole", whole, messages,
                {.written = at_most(25, 12), .syncs = at_most(2)});
    add_figures(report, "alone, accept", cost->accept, messages);
    add_figures(report, "alone, begin", begin, messages);
    add_figures(report, "alone, end", cost->end, messages);
    add_figures(report, "alone, report", cost->report, messages);
    add_figures(report, "alone, inbound", cost->inbound, messages);
    report.notes.push_back("alone, whole, by thread: " + threads_text(whole, messages));
    report.notes.push_back(
        fmt::format("alone, whole: {:.2f} pages of the database written by checkpoints",
                    static_cast<double>(whole.disk.file_pages) / static_cast<double>(messages)));
    return {};
}

/// How many submits the simulated modems took so far.
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

Result<> send_all(const Context& context, const rig::Rack& rack, std::size_t messages) {
    const auto loaded =
        rig::run_bulk({.socket = rack.socket(), .lines_max = messages}, context.interrupt);
    if (!loaded) {
        return std::unexpected(loaded.error());
    }
    if (loaded->accepted != messages) {
        return fail(Errc::protocol,
                    fmt::format("{} of {} messages were accepted", loaded->accepted, messages));
    }
    const auto deadline = std::chrono::steady_clock::now() + patience;
    auto sent = submits_of(rack);
    while (sent && *sent < messages) {
        if (std::chrono::steady_clock::now() > deadline) {
            return fail(Errc::timeout, fmt::format("{} of {} messages were sent", *sent, messages));
        }
        if (context.interrupt.rest(100ms)) {
            return rig::called_off();
        }
        sent = submits_of(rack);
    }
    if (!sent) {
        return std::unexpected(sent.error());
    }
    return context.interrupt.rest(last_commit) ? Result<>(rig::called_off()) : Result<>();
}

Result<> ask_in_company(const Context& context, Report& report, std::size_t messages) {
    const auto rack =
        rig::Rack::open(context.folder / "company",
                        {.sim_options = {"--service-ms", "0", "--baud", "0", "--report-ms", "-1"},
                         .config = "[priority]\nprotect = false\n"},  // all is to wait at once
                        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    const auto before = rig::process_cost((*rack)->service_pid());
    const auto counts_before = rig::disk_counts((*rack)->socket());
    if (auto sent = send_all(context, **rack, messages); !sent) {
        return std::unexpected(sent.error());
    }
    const auto after = rig::process_cost((*rack)->service_pid());
    const auto counts_after = rig::disk_counts((*rack)->socket());
    if (!before || !after || !counts_before || !counts_after) {
        return fail(Errc::closed, "the service ended while it was measured");
    }
    rig::ServiceCost cost;
    add(cost, *before, *after);
    add(cost, *counts_before, *counts_after);
    add_figures(report, "in company", cost, messages, {.cpu = at_most({}, 0.15)});
    report.notes.push_back("in company, by thread: " + threads_text(cost, messages));
    return {};
}

}  // namespace

Result<Report> cost(const Context& context) {
    const std::size_t alone = context.options.messages.value_or(usual_alone);
    const std::size_t company = alone * company_per_alone;
    Report report{
        .question = "cost",
        .conditions = {
            fmt::format(
                "8 modems, 115200 baud, 60 ms service time; {} messages of 40 characters "
                "at 6/s (with reports 4/s), one at a time; begin is what is more when the "
                "rack is not paused, and with the end before it, where they share a commit; "
                "inbound: {} messages of about 40 characters",
                alone, alone),
            fmt::format("in company: {} messages as NDJSON through 8 modems that take no time",
                        company),
            "written: octets by the kernel's count (write_bytes); syncs and pages by the "
            "service's; processor by the scheduler's; without what the measuring itself costs"}};
    if (auto asked = ask_alone(context, report, alone); !asked) {
        return std::unexpected(asked.error());
    }
    if (auto asked = ask_in_company(context, report, company); !asked) {
        return std::unexpected(asked.error());
    }
    return report;
}

}  // namespace smsrack::bench
