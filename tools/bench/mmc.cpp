// Does the rack do what M/M/c says? Poisson arrivals over the socket, exponential modems, late
// binding: the measured wait compared with that of an exact queue over the same arrivals and
// services, and the formulas compared with ten million arrivals of such a queue.
#include "src/model/mmc.hpp"

#include "src/model/fifo_queue.hpp"
#include "src/model/mmc_run.hpp"
#include "tools/bench/questions.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/rig/arrivals.hpp"
#include "tools/rig/awake.hpp"
#include "tools/rig/http_load.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace smsrack::bench {
namespace {

constexpr std::array loads{0.3, 0.6, 0.9};  // rho
constexpr std::uint32_t servers = 8;
constexpr double mu = 10;
constexpr std::size_t usual_messages = 2'000;
constexpr std::size_t quick_messages = 300;
constexpr std::uint64_t usual_arrivals = 10'000'000;
constexpr std::uint64_t quick_arrivals = 1'000'000;
constexpr double bound_ms = 5;
/// A submit longer than this has a chance of 1e-20.
constexpr std::chrono::seconds drain_max(30);

struct Sent {
    double due_s = 0;
    double taken_s = 0;
    double service_s = 0;  // as the modem drew it, and prompt to PDU: it was held for that too
    double late_s = 0;     // by how much its answer was written late: the same
};

/// In order of arrival.
std::vector<Sent> sent_of(const rig::SimLog& log, const rig::LoadPlan& plan, SteadyTime started) {
    using Seconds = std::chrono::duration<double>;
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < plan.arrivals.size(); ++i) {
        numbers[rig::MessageForm::recipient(plan.first_serial + i)] = i;
    }
    std::map<std::size_t, Sent> sent;
    std::map<unsigned, double*> late;  // of a modem's last answer: its next submit shows it
    for (const rig::SimSubmit& submit : log.submits) {
        if (const auto last = late.extract(submit.modem)) {
            *last.mapped() = Seconds(submit.answer_late).count();
        }
        if (const auto found = numbers.find(submit.to); found != numbers.end()) {
            Sent& one = sent[found->second];
            one = {.due_s = Seconds(plan.arrivals[found->second]).count(),
                   .taken_s = Seconds(submit.at - started).count(),
                   .service_s =
                       Seconds(submit.prompt_late + submit.entry_gap + submit.service).count()};
            late[submit.modem] = &one.late_s;
        }
    }
    std::vector<Sent> all;
    for (const auto& [number, one] : sent) {
        all.push_back(one);
    }
    return all;
}

Result<std::vector<Sent>> measure(const Context& context, const rig::LoadPlan& plan,
                                  rig::Rack& rack) {
    const auto loaded = rig::run_load(plan, context.interrupt);
    if (!loaded) {
        return std::unexpected(loaded.error());
    }
    const SteadyTime deadline = std::chrono::steady_clock::now() + drain_max;
    while (true) {
        const auto log = rig::read_sim_log(rack.sim_log());
        if (!log) {
            return std::unexpected(log.error());
        }
        auto sent = sent_of(*log, plan, loaded->started);
        if (sent.size() >= loaded->accepted) {
            return sent;
        }
        if (std::chrono::steady_clock::now() > deadline) {
            return fail(Errc::timeout,
                        fmt::format("{} of {} messages were sent", sent.size(), loaded->accepted));
        }
        if (context.interrupt.rest(std::chrono::milliseconds(200))) {
            return rig::called_off();
        }
    }
}

struct Means {
    double wq_ms = 0;
    double ws_ms = 0;
};

Means measured_means(const std::vector<Sent>& sent) {
    Means means;
    for (const Sent& one : sent) {
        means.ws_ms += 1e3 * (one.taken_s - one.due_s);
        means.wq_ms += 1e3 * (one.taken_s - one.due_s - one.service_s);
    }
    const auto n = static_cast<double>(sent.size());
    return {.wq_ms = means.wq_ms / n, .ws_ms = means.ws_ms / n};
}

Means exact_means(const std::vector<Sent>& sent) {
    model::FifoQueue queue(servers);
    Means means;
    for (const Sent& one : sent) {
        const double wait = queue.arrive(one.due_s, one.service_s + one.late_s);
        means.wq_ms += 1e3 * wait;
        means.ws_ms += 1e3 * (wait + one.service_s);
    }
    const auto n = static_cast<double>(sent.size());
    return {.wq_ms = means.wq_ms / n, .ws_ms = means.ws_ms / n};
}

void add(Report& report, Figure figure) {
    report.figures.push_back(std::move(figure));
    report.broken = report.broken || verdict(report.figures.back()) == "above";
}

Result<> ask_rack(const Context& context, rig::Rack& rack, std::size_t place, Report& report) {
    const model::MmcLoad load{
        .lambda = loads.at(place) * servers * mu, .mu = mu, .servers = servers};
    const auto model = model::mmc(load);
    modem_sim::SplitMix chance(place + 1);
    const std::size_t count =
        context.options.messages.value_or(context.options.quick ? quick_messages : usual_messages);
    const rig::LoadPlan plan{.socket = rack.socket(),
                             .connections = 32,
                             .arrivals = rig::random_arrivals(load.lambda, count, chance),
                             .run = static_cast<unsigned>(place),
                             .first_serial = 1'000'000 * place};
    const auto sent = measure(context, plan, rack);
    if (!model || !sent) {
        return std::unexpected(model ? sent.error() : model.error());
    }
    const Means measured = measured_means(*sent);
    const Means exact = exact_means(*sent);
    const std::string rho = fmt::format("rho {:.1f}: ", loads.at(place));
    add(report, {.name = rho + "Wq of M/M/c", .value = model->wq * 1e3, .unit = "ms"});
    add(report, {.name = rho + "Wq of the exact queue", .value = exact.wq_ms, .unit = "ms"});
    add(report, {.name = rho + "Wq measured", .value = measured.wq_ms, .unit = "ms"});
    add(report, {.name = rho + "difference of Wq",
                 .value = std::abs(measured.wq_ms - exact.wq_ms),
                 .unit = "ms",
                 .goal = at_most(bound_ms)});
    add(report, {.name = rho + "Ws of the exact queue", .value = exact.ws_ms, .unit = "ms"});
    add(report, {.name = rho + "Ws measured", .value = measured.ws_ms, .unit = "ms"});
    add(report, {.name = rho + "difference of Ws",
                 .value = std::abs(measured.ws_ms - exact.ws_ms),
                 .unit = "ms",
                 .goal = at_most(bound_ms)});
    return {};
}

Result<> ask_formulas(const Context& context, Report& report) {
    modem_sim::SplitMix chance(7);
    const std::uint64_t arrivals = context.options.quick ? quick_arrivals : usual_arrivals;
    for (const double rho : loads) {
        const model::MmcLoad load{.lambda = rho * servers * mu, .mu = mu, .servers = servers};
        const auto model = model::mmc(load);
        if (!model) {
            return std::unexpected(model.error());
        }
        const model::MmcRun run = model::run_mmc(load, arrivals, chance);
        const auto compare = [&](const char* what, const model::Estimate& estimate, double formula,
                                 double scale, const char* unit) {
            const std::string name =
                fmt::format("{} arrivals, rho {:.1f}: {}", arrivals, rho, what);
            add(report, {.name = name + " of the formula",
                         .value = formula * scale,
                         .unit = unit,
                         .decimals = 3});
            add(report, {.name = name + " as it came",
                         .value = estimate.mean * scale,
                         .unit = unit,
                         .decimals = 3});
            add(report, {.name = name + ", standard error",
                         .value = estimate.error * scale,
                         .unit = unit,
                         .decimals = 3});
            add(report, {.name = name + ", difference in errors",
                         .value = std::abs(estimate.mean - formula) / estimate.error,
                         .goal = at_most(3)});
        };
        compare("Wq", run.wq, model->wq, 1e3, "ms");
        compare("Ws", run.ws, model->ws, 1e3, "ms");
        compare("P(wait)", run.p_wait, model->p_wait, 100, "%");
    }
    return {};
}

}  // namespace

Result<Report> mmc(const Context& context) {
    const rig::Awake awake;
    Report report{
        .question = "mmc",
        .conditions = {fmt::format("{} exponential modems, mu {} messages/s each; Poisson "
                                   "arrivals; no pacing; protection off",
                                   servers, mu),
                       std::string(awake.told())},
        .notes = {"the exact queue: first come, first served, over the same arrivals and the times "
                  "that the modems were held as they logged (service drawn, prompt to PDU, and by "
                  "how much the simulator was late with its prompt and its answer)",
                  "measured: due until in a modem's hand (Wq), until accepted (Ws); intake, commit "
                  "and the commands between are in it, and not in the exact queue"}};
    if (auto asked = ask_formulas(context, report); !asked) {
        return std::unexpected(asked.error());
    }
    auto rack = rig::Rack::open(context.folder,
                                {.modems = servers,
                                 .sim_options = {"--service-ms", "100", "--service-dist", "exp",
                                                 "--baud", "0", "--report-ms", "-1"},
                                 .config = "[priority]\nprotect = false\n"},
                                context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    for (std::size_t place = 0; place < loads.size(); ++place) {
        if (auto asked = ask_rack(context, **rack, place, report); !asked) {
            return std::unexpected(asked.error());
        }
    }
    return report;
}

}  // namespace smsrack::bench
