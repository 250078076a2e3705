// Does the rack do what M/M/c says? Poisson arrivals over the socket, exponential modems, late
// binding: the measured wait beside the model's.
#include "src/model/mmc.hpp"

#include "tools/bench/questions.hpp"
#include "tools/rig/arrivals.hpp"
#include "tools/rig/http_load.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"
#include "tools/sim_model/split_mix.hpp"

#include <chrono>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace smsrack::bench {
namespace {

constexpr model::MmcLoad load{.lambda = 3.86, .mu = 1.6, .servers = 8};  // [SMSEngine]'s case
constexpr std::size_t usual_messages = 500;
/// A submit longer than this has a chance of 1e-20.
constexpr std::chrono::seconds drain_max(30);

struct Times {
    std::vector<double> wait_ms;     // due until in a modem's hand
    std::vector<double> whole_ms;    // due until accepted
    std::vector<double> service_ms;  // as the modems drew it
};

Times times_of(const rig::SimLog& log, const rig::LoadPlan& plan, SteadyTime started) {
    std::map<std::string, SteadyTime> due;
    for (std::size_t i = 0; i < plan.arrivals.size(); ++i) {
        due[rig::MessageForm::recipient(i)] = started + plan.arrivals[i];
    }
    using Milliseconds = std::chrono::duration<double, std::milli>;
    Times times;
    for (const rig::SimSubmit& submit : log.submits) {
        if (const auto found = due.find(submit.to); found != due.end()) {
            const Milliseconds whole = submit.at - found->second;
            const Milliseconds service = submit.service;
            times.whole_ms.push_back(whole.count());
            times.service_ms.push_back(service.count());
            times.wait_ms.push_back((whole - service).count());
        }
    }
    return times;
}

Result<Times> measure(const Context& context, const rig::LoadPlan& plan, rig::Rack& rack) {
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
        if (log->submits.size() >= loaded->accepted) {
            return times_of(*log, plan, loaded->started);
        }
        if (std::chrono::steady_clock::now() > deadline) {
            return fail(Errc::timeout, fmt::format("{} of {} messages were sent",
                                                   log->submits.size(), loaded->accepted));
        }
        if (context.interrupt.rest(std::chrono::milliseconds(200))) {
            return rig::called_off();
        }
    }
}

Figure milliseconds(std::string name, double value) {
    return {.name = std::move(name), .value = value, .unit = "ms"};
}

}  // namespace

Result<Report> mmc(const Context& context) {
    const auto model = model::mmc(load);
    auto rack = rig::Rack::open(context.folder,
                                {.modems = load.servers,
                                 .sim_options = {"--service-ms", "625", "--service-dist", "exp",
                                                 "--baud", "0", "--report-ms", "-1"}},
                                context.interrupt);
    if (!model || !rack) {
        return std::unexpected(model ? rack.error() : model.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    sim::SplitMix chance(1);
    const rig::LoadPlan plan{
        .socket = (*rack)->socket(),
        .connections = 8,
        .arrivals = rig::random_arrivals(
            load.lambda, context.options.messages.value_or(usual_messages), chance)};
    const auto times = measure(context, plan, **rack);
    if (!times) {
        return std::unexpected(times.error());
    }
    const auto wait = rig::spread_of(times->wait_ms);
    const auto service = rig::spread_of(times->service_ms);
    return Report{
        .question = "mmc",
        .conditions = {fmt::format(
            "{} exponential modems, mu {} messages/s each; Poisson arrivals, "
            "lambda {} messages/s; {} messages; no pacing",
            load.servers, load.mu, load.lambda, wait.count)},
        .figures = {milliseconds("Wq of the model", model->wq * 1e3),
                    milliseconds("Wq measured: due until in a modem's hand, mean", wait.mean),
                    milliseconds("the same, median", wait.p50),
                    milliseconds("Ws of the model", model->ws * 1e3),
                    milliseconds("Ws measured: due until accepted, mean",
                                 rig::spread_of(times->whole_ms).mean),
                    milliseconds("service time that the modems drew, mean", service.mean)},
        .notes = {"the measured Wq has intake, commit and dialogue in it, which the model has not; "
                  "measured Ws - Wq is the service time drawn"}};
}

}  // namespace smsrack::bench
