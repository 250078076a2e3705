// Does a code overtake a campaign, and does the campaign end? A campaign at level 1 that has long waited for longer than it should, codes
// at level 6 in between; the same with strict priorities, and with all at one level.
#include "src/sms/ageing.hpp"
#include "tools/bench/questions.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/rig/arrivals.hpp"
#include "tools/rig/bulk_load.hpp"
#include "tools/rig/http_load.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr unsigned modems = 8;
constexpr unsigned campaign_level = 1;
constexpr unsigned code_level = 6;
constexpr std::size_t usual_messages = 5'000;
constexpr unsigned usual_service_ms = 500;
constexpr std::size_t messages_per_code = 50;
constexpr std::uint64_t first_code = 50'000'000;  // serial

struct Scene {
    std::size_t messages = usual_messages;
    std::size_t codes = usual_messages / messages_per_code;
    milliseconds service{usual_service_ms};
    AgeingRules rules = {};

    [[nodiscard]] Seconds campaign_time() const {
        return Seconds(service) * static_cast<double>(messages) / modems;
    }
    [[nodiscard]] Seconds to_top() const { return time_to_top(rules, campaign_level); }
};

/// With a short campaign T_waitmax is shorter too, so that it is at the top for most of its time.
Scene scene_of(const Options& options) {
    Scene scene{.messages = options.messages.value_or(usual_messages),
                .service = milliseconds(options.service_ms.value_or(usual_service_ms))};
    scene.codes = std::clamp<std::size_t>(scene.messages / messages_per_code, 10, 100);
    const double scale = std::min(1.0, 0.1 * scene.campaign_time() / scene.to_top());
    for (auto& wait : scene.rules.max_wait) {
        wait = milliseconds(std::max<std::int64_t>(
            static_cast<std::int64_t>(static_cast<double>(wait.count()) * scale), 1));
    }
    return scene;
}

struct Mode {
    const char* name;
    bool ageing;
    unsigned code_level;
};

constexpr Mode with_ageing{"ageing", true, code_level};
constexpr Mode strict{"strict", false, code_level};
constexpr Mode fifo{"fifo", false, campaign_level};

std::string config_of(const Scene& scene, const Mode& mode) {
    std::string waits;
    for (const auto wait : scene.rules.max_wait) {
        waits += fmt::format("{}{}", waits.empty() ? "" : ", ", wait.count());
    }
    return fmt::format("[priority]\nageing = {}\nmax_wait_ms = [{}]\nprotect = false\n",
                       mode.ageing, waits);
}

struct Measured {
    rig::Spread code_ms = {};     ///< due until the network has it
    double campaign_seconds = 0;  ///< acceptance of its last until the network has all
    std::size_t campaign_sent = 0;
    std::size_t codes_sent = 0;
    /// Of a submit while no line is idle, with its command and the pause around it.
    double service_ms = 0;
};

Measured measured_of(const rig::SimLog& log, const rig::LoadPlan& codes, SteadyTime codes_from,
                     SteadyTime campaign_from) {
    std::map<std::string, SteadyTime> due;
    for (std::size_t i = 0; i < codes.arrivals.size(); ++i) {
        due[rig::MessageForm::recipient(first_code + i)] = codes_from + codes.arrivals[i];
    }
    Measured measured;
    std::vector<double> took_ms;
    for (const rig::SimSubmit& submit : log.submits) {
        if (const auto code = due.find(submit.to); code != due.end()) {
            took_ms.push_back(Seconds(submit.at - code->second).count() * 1e3);
        } else {
            ++measured.campaign_sent;
            measured.campaign_seconds =
                std::max(measured.campaign_seconds, Seconds(submit.at - campaign_from).count());
        }
    }
    measured.codes_sent = took_ms.size();
    const auto end =
        campaign_from + std::chrono::ceil<SteadyTime::duration>(Seconds(measured.campaign_seconds));
    const auto meanwhile = std::ranges::count_if(
        log.submits, [&](const rig::SimSubmit& submit) { return submit.at <= end; });
    measured.service_ms = modems * measured.campaign_seconds * 1e3 /
                          static_cast<double>(std::max<std::ptrdiff_t>(meanwhile, 1));
    measured.code_ms = rig::spread_of(std::move(took_ms));
    return measured;
}

/// All that was accepted is with the network.
Result<rig::SimLog> all_sent(const Context& context, const Scene& scene, const rig::Rack& rack) {
    const auto limit = std::chrono::duration_cast<steady_clock::duration>(
        scene.campaign_time() * 2 + std::chrono::seconds(60));
    const SteadyTime deadline = steady_clock::now() + limit;
    while (true) {
        auto log = rig::read_sim_log(rack.sim_log());
        if (!log || log->submits.size() >= scene.messages + scene.codes) {
            return log;
        }
        if (steady_clock::now() > deadline) {
            return fail(Errc::timeout,
                        fmt::format("{} of {} messages were sent", log->submits.size(),
                                    scene.messages + scene.codes));
        }
        if (context.interrupt.rest(milliseconds(500))) {
            return rig::called_off();
        }
    }
}

Result<Measured> run_mode(const Context& context, const Scene& scene, const Mode& mode) {
    auto rack =
        rig::Rack::open(context.folder / mode.name,
                        {.modems = modems,
                         .sim_options = {"--service-ms", std::to_string(scene.service.count()),
                                         "--baud", "0", "--report-ms", "-1"},
                         .config = config_of(scene, mode)},
                        context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    const auto campaign = rig::run_bulk({.socket = (*rack)->socket(),
                                         .lines_max = scene.messages,
                                         .run = 1,
                                         .priority = campaign_level},
                                        context.interrupt);
    if (!campaign) {
        return std::unexpected(campaign.error());
    }
    const SteadyTime accepted = steady_clock::now();
    if (campaign->accepted != scene.messages) {
        return fail(Errc::protocol, fmt::format("{} of {} messages were accepted",
                                                campaign->accepted, scene.messages));
    }
    // The codes begin when the campaign is at the top, and end while it still is.
    if (context.interrupt.rest(std::chrono::ceil<milliseconds>(scene.to_top() * 1.05))) {
        return rig::called_off();
    }
    const double seconds = 0.8 * (scene.campaign_time() - scene.to_top()).count();
    modem_sim::SplitMix chance(1);
    const rig::LoadPlan codes{.socket = (*rack)->socket(),
                              .connections = 4,
                              .arrivals = rig::random_arrivals(
                                  static_cast<double>(scene.codes) / seconds, scene.codes, chance),
                              .run = 2,
                              .first_serial = first_code,
                              .priority = mode.code_level};
    const auto loaded = rig::run_load(codes, context.interrupt);
    if (!loaded) {
        return std::unexpected(loaded.error());
    }
    const auto log = all_sent(context, scene, **rack);
    if (!log) {
        return std::unexpected(log.error());
    }
    return measured_of(*log, codes, loaded->started, accepted);
}

void add_figures(Report& report, const Scene& scene, const Mode& mode, const Measured& measured) {
    const bool proven = mode.ageing;
    const auto service_ms = static_cast<double>(scene.service.count());
    // To the top, and from there 8 services of all lines for each that is promoted.
    const double bound = scene.to_top().count() + promoted_every * scene.campaign_time().count();
    report.figures.push_back(
        {.name = fmt::format("{}: code, due until the network has it, median", mode.name),
         .value = measured.code_ms.p50,
         .unit = "ms"});
    report.figures.push_back({.name = "the same, p99",
                              .value = measured.code_ms.p99,
                              .unit = "ms",
                              .goal = proven ? at_most(2 * service_ms) : Goal{}});
    report.figures.push_back({.name = "a submit, on a line that is never idle",
                              .value = measured.service_ms,
                              .unit = "ms"});
    report.figures.push_back({.name = "last of the campaign, since its acceptance",
                              .value = measured.campaign_seconds,
                              .unit = "s",
                              .goal = proven ? at_most(bound) : Goal{}});
}

}  // namespace

Result<Report> priority(const Context& context) {
    const Scene scene = scene_of(context.options);
    Report report{
        .question = "priority",
        .conditions = {
            fmt::format("{} modems of {} ms, no pacing of the wire; a campaign of {} at level {}, "
                        "{} codes at level {} "
                        "while it stands at the top; T_waitmax {} ms at level {}, {:.1f} s to the "
                        "top",
                        modems, scene.service.count(), scene.messages, campaign_level, scene.codes,
                        code_level, scene.rules.max_wait.at(campaign_level).count(), campaign_level,
                        scene.to_top().count()),
            fmt::format("scale: {:.0f} % of the campaign of {} at {} ms",
                        100 * scene.campaign_time().count() /
                            (usual_service_ms * 1e-3 * usual_messages / modems),
                        usual_messages, usual_service_ms)}};
    for (const Mode& mode : {with_ageing, strict, fifo}) {
        const auto measured = run_mode(context, scene, mode);
        if (!measured) {
            return std::unexpected(measured.error());
        }
        add_figures(report, scene, mode, *measured);
    }
    report.broken = std::ranges::any_of(
        report.figures, [](const Figure& figure) { return verdict(figure) == "above"; });
    report.notes = {
        "bounds: two services for a code; for the campaign the time to the top and 8 "
        "services of all lines for each of its messages",
        "lines of one constant time would go in step, and a code would wait up to a whole service: "
        "one in 32 gaps rests until they are apart",
        "strict: [priority] ageing = false; fifo: the codes at the level of the "
        "campaign"};
    return report;
}

}  // namespace smsrack::bench
