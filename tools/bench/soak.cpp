// Does a rack that goes wrong all the time, under a service that is killed again and again, lose or
// double a message? Faults by chance on 32 modems; then everything is mended, and the network's log
// is held against the store.
#include "tools/bench/questions.hpp"
#include "tools/bench/soak_run.hpp"
#include "tools/modem_model/faults/fault.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/truth.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using std::chrono::steady_clock;

constexpr unsigned faults_an_hour = 180;  // of each modem: one every 20 s

/// The store held against the log of the network.
struct Audit {
    rig::SimLog log = {};
    rig::Truth sent = {};
    rig::ReceivedTruth received = {};
};

Result<Audit> audit(const SoakRun& run, const rig::Rack& rack) {
    const auto told = run.told();
    auto received = run.received();
    auto log = rig::read_sim_log(rack.sim_log());
    if (!told || !received || !log) {
        return std::unexpected(!told ? told.error() : !received ? received.error() : log.error());
    }
    std::map<std::string, unsigned> taken;
    for (const rig::SimSubmit& submit : log->submits) {
        ++taken[submit.to];
    }
    return Audit{.log = std::move(*log),
                 .sent = rig::compare(*told, taken),
                 .received = std::move(*received)};
}

std::vector<std::string> notes_of(const Audit& audit) {
    std::vector<std::string> notes;
    const auto note = [&](const char* what, const std::vector<std::string>& which) {
        if (!which.empty()) {
            notes.push_back(fmt::format("{}: {}", what, fmt::join(which, ", ")));
        }
    };
    note("lost", audit.sent.lost);
    note("sent twice", audit.sent.twice);
    note("said to have failed, and sent", audit.sent.denied);
    note("received and not kept", audit.received.lost);
    note("received and kept twice", audit.received.twice);
    note("outcome unknown", audit.sent.unknown);
    return notes;
}

/// "hang 3, reboot 9": those that came, but for the ends of those that last.
std::string told_of(const std::map<std::string, unsigned>& faults) {
    std::vector<std::string> words;
    for (const modem_sim::FaultRow& row : modem_sim::faults()) {
        const auto found = faults.find(std::string(row.name));
        const bool ends_one = std::ranges::any_of(
            modem_sim::faults(),
            [&](const modem_sim::FaultRow& other) { return other.ended_by == row.kind; });
        if (found != faults.end() && !ends_one) {
            words.push_back(fmt::format("{} {}", row.name, found->second));
        }
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

Figure count(const char* name, std::size_t value, Goal goal = {}) {
    return {.name = name,
            .value = static_cast<double>(value),
            .unit = "messages",
            .decimals = 0,
            .goal = goal};
}

Report report_of(const Context& context, unsigned minutes, const SoakRun& run, const Audit& audit) {
    const Goal none = at_most(0);
    const rig::Truth& sent = audit.sent;
    const rig::ReceivedTruth& received = audit.received;
    return {
        .question = "soak",
        .conditions = {fmt::format("{} modems, {} of them without SR, {} min, seed {}", soak_modems,
                                   soak_no_sr, minutes, context.options.seed.value_or(1)),
                       fmt::format("a fault every {} s on each modem; {} times kill -9",
                                   3600 / faults_an_hour, run.kills()),
                       "faults: " + told_of(audit.log.faults)},
        .figures = {count("accepted", run.accepted()), count("sent, once", sent.sent),
                    count("refused by the network", sent.refused),
                    count("outcome unknown, never sent again", sent.unknown.size()),
                    count("lost", sent.lost.size(), none),
                    count("sent twice", sent.twice.size(), none),
                    count("said to have failed, and sent", sent.denied.size(), none),
                    count("received, kept once", received.kept),
                    count("received and not kept", received.lost.size(), none),
                    count("received and kept twice", received.twice.size(), none)},
        .notes = notes_of(audit),
        .broken = !sent.lost.empty() || !sent.twice.empty() || !sent.denied.empty() ||
                  !received.lost.empty() || !received.twice.empty()};
}

}  // namespace

Result<Report> soak(const Context& context) {
    const unsigned minutes = context.options.minutes.value_or(1);
    auto rack = rig::Rack::open(
        context.folder,
        {.modems = soak_modems,
         .sim_options = {"--service-ms", "400", "--service-dist", "exp", "--boot-ms", "500",
                         "--no-sr", fmt::to_string(soak_no_sr), "--faults",
                         fmt::to_string(faults_an_hour), "--fault-s", "8", "--seed",
                         fmt::to_string(context.options.seed.value_or(1))},
         .config = "[queue]\nuncertain_s = 20\nretry_limit = 100\nretry_base_s = 1\n\n"
                   "[defaults]\nsubmit_slow_s = 5\nsubmit_timeout_s = 20\n\n"},
        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->launch_service(); !started) {
        return std::unexpected(started.error());
    }
    SoakRun run(context, **rack);
    if (auto ran = run.run(steady_clock::now() + std::chrono::minutes(minutes)); !ran) {
        return std::unexpected(ran.error());
    }
    if (auto settled = run.settle(); !settled) {
        return std::unexpected(settled.error());
    }
    const auto found = audit(run, **rack);
    if (!found) {
        return std::unexpected(found.error());
    }
    return report_of(context, minutes, run, *found);
}

}  // namespace smsrack::bench
