// What do clients and modems notice of a hand-over to another version? Under an open loop of
// requests, again and again.
#include "tools/bench/questions.hpp"
#include "tools/rig/http_load.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;

constexpr double usual_rate = 1'000;
constexpr unsigned usual_times = 20;
constexpr auto between = 1'500ms;      // from one upgrade's end to the next one
constexpr auto upgrade_takes = 500ms;  // at most, as far as the length of the load is concerned
constexpr unsigned modems = 8;
constexpr double bound_gap_ms = 200;
constexpr auto sent_within = 300s;

struct Upgrades {
    std::vector<double> pause_ms = {};
    std::size_t in_hand = 0;
    std::size_t lines_anew = 0;
    Result<> ended = {};
};

/// One after the other, during the load.
Upgrades upgrade_again_and_again(rig::Rack& rack, unsigned times, const rig::Interrupt& interrupt) {
    Upgrades upgrades;
    for (unsigned i = 0; i < times; ++i) {
        if (interrupt.rest(between)) {
            upgrades.ended = rig::called_off();
            return upgrades;
        }
        const auto report = rack.upgrade();
        if (!report) {
            upgrades.ended = std::unexpected(report.error());
            return upgrades;
        }
        upgrades.pause_ms.push_back((*report)["pause_ms"].get<double>());
        upgrades.in_hand += (*report)["in_hand"].get<std::size_t>();
        upgrades.lines_anew += (*report)["lines_anew"].get<std::size_t>();
    }
    return upgrades;
}

struct Sent {
    std::size_t messages = 0;
    std::size_t twice = 0;
};

/// Until the network has as many messages as were accepted.
Result<Sent> sent_in_the_end(const rig::Rack& rack, std::size_t accepted,
                             const rig::Interrupt& interrupt) {
    const auto until = std::chrono::steady_clock::now() + sent_within;
    while (std::chrono::steady_clock::now() < until) {
        const auto status = rack.get("/v1/status");
        if (!status) {
            return std::unexpected(status.error());
        }
        const wire::Json states = status->at("messages");
        if (states.value("sent", std::size_t{0}) + states.value("delivered", std::size_t{0}) >=
            accepted) {
            break;
        }
        if (interrupt.rest(200ms)) {
            return rig::called_off();
        }
    }
    const auto log = rig::read_sim_log(rack.sim_log());
    if (!log) {
        return std::unexpected(log.error());
    }
    std::map<std::string, std::size_t> taken;
    for (const rig::SimSubmit& submit : log->submits) {
        ++taken[submit.to];
    }
    return Sent{.messages = taken.size(),
                .twice = static_cast<std::size_t>(std::ranges::count_if(
                    taken, [](const auto& message) { return message.second > 1; }))};
}

}  // namespace

Result<Report> upgrade(const Context& context) {
    const double rate = context.options.rate.value_or(usual_rate);
    const unsigned times = context.options.times.value_or(usual_times);
    auto rack = rig::Rack::open(
        context.folder,
        {.modems = modems,
         .sim_options = {"--service-ms", "20", "--service-dist", "exp", "--report-ms", "-1"},
         .config = "[queue]\ncapacity = 10_000_000\n"},
        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    const auto seconds = std::chrono::duration<double>((times + 1) * (between + upgrade_takes));
    const auto count = static_cast<std::size_t>(rate * seconds.count());
    Upgrades upgrades;
    std::jthread upgrading(
        [&] { upgrades = upgrade_again_and_again(**rack, times, context.interrupt); });
    const auto load =
        rig::run_load({.socket = (*rack)->socket(), .arrivals = rig::even_arrivals(rate, count)},
                      context.interrupt);
    upgrading.join();
    if (!load || !upgrades.ended) {
        return std::unexpected(load ? upgrades.ended.error() : load.error());
    }
    const auto sent = sent_in_the_end(**rack, load->accepted, context.interrupt);
    if (!sent) {
        return std::unexpected(sent.error());
    }
    const auto latency = rig::spread_of(load->latency_ms);
    const auto pause = rig::spread_of(upgrades.pause_ms);
    const std::size_t lost = load->accepted - std::min(load->accepted, sent->messages);
    Report report{
        .question = "upgrade",
        .conditions = {
            fmt::format("{} upgrades, {} ms apart, under {:.0f} requests/s in an open loop on 64 "
                        "keep-alive connections, each with its own ref and to",
                        times, between.count(), rate),
            "8 modems of 20 ms (exponential); the network's log against what was accepted"}};
    if (load->refused > 0) {
        report.conditions.push_back("the first that was refused: " + load->first_refusal);
    }
    const auto add = [&](const char* name, double value, const char* unit, int decimals,
                         Goal goal = {}) {
        report.figures.push_back(
            {.name = name, .value = value, .unit = unit, .decimals = decimals, .goal = goal});
    };
    add("accepted", static_cast<double>(load->accepted), "", 0);
    add("not accepted", static_cast<double>(load->refused + load->unanswered), "", 0, at_most(0));
    add("longest gap between acceptances", load->longest_gap_ms, "ms", 1, at_most(bound_gap_ms));
    add("requests waited, median of the upgrades", pause.p50, "ms", 1);
    add("requests waited, longest", pause.max, "ms", 1);
    add("latency, median", latency.p50, "ms", 1);
    add("latency, p99", latency.p99, "ms", 1);
    add("latency, max", latency.max, "ms", 1);
    add("submits taken over in the network's hand", static_cast<double>(upgrades.in_hand), "", 0);
    add("modems set up again", static_cast<double>(upgrades.lines_anew), "", 0, at_most(0));
    add("lost", static_cast<double>(lost), "", 0, at_most(0));
    add("sent twice", static_cast<double>(sent->twice), "", 0, at_most(0));
    report.broken = lost > 0 || sent->twice > 0 || load->refused + load->unanswered > 0;
    return report;
}

}  // namespace smsrack::bench
