// How fast do received messages get into the store? As a burst that fills every SIM, and one by
// one.
#include "tools/bench/questions.hpp"
#include "tools/rig/event_tap.hpp"
#include "tools/rig/rack.hpp"
#include "tools/rig/sim_log.hpp"
#include "tools/rig/spread.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;

constexpr unsigned modems = 8;
constexpr std::size_t usual_burst = 400;  // as many as eight SIMs of 50 places hold
constexpr std::size_t trickle_messages = 60;
constexpr auto trickle_gap = 150ms;  // one is long done when the next comes
constexpr auto patience = 60s;

wire::Json order(std::size_t count) {
    // About 40 characters, and no two alike.
    return {{"do", "inbound"},
            {"count", count},
            {"from", "+33611223344"},
            {"text", "Reply {id}: yes please, tomorrow at ten"}};
}

/// Seconds from the first +CMTI or +CMT to the last message.received.
Result<double> burst(const Context& context, const rig::Rack& rack, rig::EventTap& events,
                     std::size_t count) {
    if (auto given = rack.simulate(order(count)); !given) {
        return std::unexpected(given.error());
    }
    if (!events.wait_for(count, patience)) {
        return fail(Errc::timeout, fmt::format("{} of {} messages were received",
                                               events.arrivals().size(), count));
    }
    const auto log = rig::read_sim_log(rack.sim_log());
    if (!log) {
        return std::unexpected(log.error());
    }
    if (context.interrupt.came()) {
        return rig::called_off();
    }
    const auto first = std::ranges::min_element(log->received, {}, &rig::SimInbound::at);
    return std::chrono::duration<double>(events.arrivals().back() - first->at).count();
}

/// Milliseconds from +CMTI or +CMT to message.received, one message at a time.
Result<std::vector<double>> trickle(const Context& context, const rig::Rack& rack,
                                    rig::EventTap& events) {
    const std::size_t before = events.arrivals().size();
    for (std::size_t i = 0; i < trickle_messages; ++i) {
        wire::Json one = order(1);
        one["modem"] = i % modems;
        if (auto given = rack.simulate(one); !given) {
            return std::unexpected(given.error());
        }
        if (!events.wait_for(before + i + 1, patience)) {
            return fail(Errc::timeout, "a message was not received");
        }
        if (context.interrupt.rest(trickle_gap)) {
            return rig::called_off();
        }
    }
    const auto log = rig::read_sim_log(rack.sim_log());
    if (!log) {
        return std::unexpected(log.error());
    }
    const auto arrivals = events.arrivals();
    std::vector<double> times;
    for (std::size_t i = 0; i < trickle_messages; ++i) {
        const auto time = arrivals.at(before + i) - log->received.at(before + i).at;
        times.push_back(std::chrono::duration<double, std::milli>(time).count());
    }
    return times;
}

struct Measured {
    double burst = 0;  ///< messages/s
    rig::Spread trickle = {};
};

/// In a folder and with a service of its own. `defaults`: lines of [defaults].
Result<Measured> measure(const Context& context, const char* name, const std::string& defaults) {
    auto rack = rig::Rack::open(context.folder / name,
                                {.modems = modems,
                                 .sim_options = {"--baud", "115200", "--report-ms", "-1"},
                                 .config = "[defaults]\n" + defaults},
                                context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    rig::EventTap events;
    if (auto heard = events.listen((*rack)->socket(), "message.received"); !heard) {
        return std::unexpected(heard.error());
    }
    const std::size_t count = context.options.messages.value_or(usual_burst);
    const auto seconds = burst(context, **rack, events, count);
    if (!seconds) {
        return std::unexpected(seconds.error());
    }
    auto times = trickle(context, **rack, events);
    if (!times) {
        return std::unexpected(times.error());
    }
    return Measured{.burst = static_cast<double>(count) / *seconds,
                    .trickle = rig::spread_of(std::move(*times))};
}

}  // namespace

Result<Report> inbound(const Context& context) {
    const auto usual = measure(context, "usual", "");
    if (!usual) {
        return std::unexpected(usual.error());
    }
    const auto fast = measure(context, "fast", "fast_baud = 230400\n");
    if (!fast) {
        return std::unexpected(fast.error());
    }
    const auto milliseconds = [](const char* name, double value, Goal goal = {}) {
        return Figure{.name = name, .value = value, .unit = "ms", .goal = goal};
    };
    const auto per_second = [](const char* name, double value, Goal goal = {}) {
        return Figure{.name = name, .value = value, .unit = "messages/s", .goal = goal};
    };
    return Report{
        .question = "inbound",
        .conditions = {fmt::format("{} modems, 115200 baud; a burst of {}, then {} one by one; "
                                   "about 40 characters; from +CMTI or +CMT to the event "
                                   "message.received, which follows the commit",
                                   modems, context.options.messages.value_or(usual_burst),
                                   trickle_messages),
                       "then the same with fast_baud = 230400"},
        .figures = {per_second("burst", usual->burst, at_least(440)),
                    milliseconds("from the modem to the store, median", usual->trickle.p50),
                    milliseconds("from the modem to the store, p99", usual->trickle.p99),
                    milliseconds("from the modem to the store, max", usual->trickle.max),
                    per_second("burst, fast_baud", fast->burst, at_least(440)),
                    milliseconds("from the modem to the store, fast_baud, median",
                                 fast->trickle.p50, at_most(12)),
                    milliseconds("from the modem to the store, fast_baud, p99", fast->trickle.p99),
                    milliseconds("from the modem to the store, fast_baud, max", fast->trickle.max)},
        .notes = {"the octets of such a message take 12.0 ms at 115200 baud, 6.0 ms at 230400"}};
}

}  // namespace smsrack::bench
