#include "tests/rack/support/priority_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

// From a line's choice to the time at which its modem has the PDU, and from acceptance to the send queue.
constexpr auto dialogue = 100ms;
constexpr auto modem_service = 500ms;

std::string number(std::size_t i) {
    return fmt::format("+3361{:07}", i);
}

std::string toml_of(const PriorityLoad& load) {
    std::string times;
    for (const auto wait : load.ageing.max_wait) {
        times += fmt::format("{}{}", times.empty() ? "" : ", ", wait.count());
    }
    return fmt::format("[priority]\nprotect = false\nageing = {}\nmax_wait_ms = [{}]\n{}\n",
                       load.ageing.on, times, load.reserve);
}

/// True while it waited for a line at that time, and some time around it.
bool waited_at(const PrioritySent& one, WallTime at) {
    return one.turn.since + dialogue <= at && one.started > at + dialogue;
}

/// It was before, and had been for a moment already.
bool stood_before(const PrioritySent& a, const PrioritySent& b, const AgeingRules& ageing,
                  WallTime at) {
    const auto before = [&](WallTime when) {
        const Standing a_at = standing(ageing, a.turn, when);
        const Standing b_at = standing(ageing, b.turn, when);
        return goes_before(a_at, b_at) &&
               (a_at.level != b_at.level || a_at.promoted != b_at.promoted ||
                b_at.entered - a_at.entered > dialogue);
    };
    return before(at) && before(at - dialogue);
}

/// One of the second lane was taken while one of the first waited.
bool had_its_turn(const PrioritySent& taken, const PrioritySent& waits, const AgeingRules& ageing) {
    return standing(ageing, taken.turn, taken.started).promoted && waits.turn.first == level_max;
}

}  // namespace

PriorityRun run_priority(const PriorityLoad& load) {
    World world({.modems = load.modems, .seed = load.seed, .toml = toml_of(load)});
    REQUIRE(world.run_until_ready());
    const SteadyTime begin = world.clock.steady();
    std::vector<std::pair<MessageId, Level>> accepted;
    auto crash = load.crash;
    const auto run_until = [&](std::chrono::milliseconds at) {
        if (crash && *crash <= at) {
            world.run_for(std::chrono::ceil<std::chrono::milliseconds>(begin + *crash -
                                                                       world.clock.steady()));
            crash.reset();
            world.crash_and_restart();
        }
        world.run_for(
            std::chrono::ceil<std::chrono::milliseconds>(begin + at - world.clock.steady()));
    };
    for (const Arrival& arrival : load.arrivals) {
        run_until(arrival.at);
        std::vector<intake::SubmitRequest> requests;
        for (std::size_t i = 0; i < arrival.count; ++i) {
            requests.push_back({.to = number(accepted.size() + i),
                                .text = "hello",
                                .priority = arrival.level,
                                .report = false});
        }
        for (const MessageId id : world.send_all(requests)) {
            accepted.emplace_back(id, arrival.level);
        }
    }
    if (crash) {
        run_until(*crash);
    }
    std::size_t ended = 0;
    REQUIRE(world.run(2h, [&] {
        while (ended < accepted.size() &&
               world.state(accepted[ended].first) >= MessageState::sent) {
            ++ended;
        }
        return ended == accepted.size();
    }));
    std::map<std::string, Submitted> submits;
    for (const Submitted& submit : world.modems.journal.submits) {
        CHECK(submits.emplace(submit.to, submit).second);  // never twice
    }
    PriorityRun run;
    for (std::size_t i = 0; i < accepted.size(); ++i) {
        const auto detail = world.detail(accepted[i].first);
        const auto submit = submits.find(number(i));
        if (detail.attempts.size() != 1 || detail.message.state == MessageState::failed) {
            ++run.doubts;
        } else if (submit == submits.end()) {
            ++run.missing;
        } else {
            const auto ago = std::chrono::duration_cast<std::chrono::milliseconds>(
                world.clock.steady() - submit->second.at);
            run.sent.push_back({.turn = {.first = accepted[i].second,
                                         .since = detail.message.created_at,
                                         .id = accepted[i].first},
                                .started = world.clock.wall() - ago - modem_service,
                                .modem = submit->second.modem});
        }
    }
    std::ranges::stable_sort(run.sent, {}, &PrioritySent::started);
    return run;
}

std::size_t overtakings(const PriorityRun& run, const AgeingRules& ageing) {
    std::size_t found = 0;
    for (const PrioritySent& taken : run.sent) {
        for (const PrioritySent& waits : run.sent) {
            const bool wrongly = waited_at(waits, taken.started) &&
                                 stood_before(waits, taken, ageing, taken.started) &&
                                 !had_its_turn(taken, waits, ageing);
            found += wrongly ? 1 : 0;
        }
    }
    return found;
}

std::size_t turns_too_many(const PriorityRun& run) {
    std::size_t most = 0;
    for (const PrioritySent& waits : run.sent) {
        if (waits.turn.first != level_max) {
            continue;
        }
        std::size_t own = 0;
        std::size_t turns = 0;
        for (const PrioritySent& taken : run.sent) {
            if (waited_at(waits, taken.started)) {
                own += taken.turn.first == level_max ? 1 : 0;
                turns += taken.turn.first != level_max ? 1 : 0;
            }
        }
        const std::size_t fair = own / (promoted_every - 1) + 1;
        most = std::max(most, turns - std::min(turns, fair));
    }
    return most;
}

std::chrono::milliseconds beyond_bound(const PriorityRun& run, const PriorityLoad& load) {
    std::chrono::milliseconds most = -24h;
    for (const PrioritySent& one : run.sent) {
        const WallTime top = one.turn.since + time_to_top(load.ageing, one.turn.first) + 1ms;
        if (one.turn.first == level_max || one.started < top) {
            continue;
        }
        const Standing at = standing(load.ageing, one.turn, top);
        const auto ahead = std::ranges::count_if(run.sent, [&](const PrioritySent& other) {
            const Standing other_at = standing(load.ageing, other.turn, top);
            const bool before = goes_before(other_at, at) ||
                                (!goes_before(at, other_at) && other.turn.id < one.turn.id);
            return other_at.promoted && before && other.started > top;
        });
        const auto bound = priority_service * promoted_every * (ahead + 1) / load.modems;
        most = std::max(most, one.started - top - bound);
    }
    return most;
}

}  // namespace smsrack::test
