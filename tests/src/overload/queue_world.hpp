/// A rack as queueing theory sees it, behind a real Admission: only levels, lines and service
/// times, in simulated time.
#pragma once

#include "src/overload/admission.hpp"
#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <queue>
#include <vector>

namespace smsrack::test {

struct QueueWorldSettings {
    std::uint32_t lines = 8;
    double service_s = 0.5;
    bool exponential = true;
    std::uint64_t seed = 1;
    bool protect = true;
    std::chrono::milliseconds t_max{4'000};  ///< of each level
};

class QueueWorld {
public:
    explicit QueueWorld(QueueWorldSettings settings)
        : settings_(settings), random_(settings.seed), free_lines_(settings.lines) {
        admission.add_group(group, "default");
    }

    /// Uniform in (0, 1].
    double chance() { return (static_cast<double>(random_.next() >> 11U) + 1) * 0x1p-53; }
    double exponential(double mean) { return -mean * std::log(chance()); }

    overload::Answer ask(Level level, std::uint64_t who) {
        auto answer = admission.ask({.group = "default", .level = level, .who = who});
        if (answer.refusal) {
            if (answer.probe) {
                admission.probed(answer.ticket);
            }
            return answer;
        }
        ++store.work_by_group[group].at(level);
        admission.settled(answer.ticket, true);
        waiting_.at(level).push_back(clock.steady());
        begin();
        return answer;
    }

    /// Serves until then.
    void run_until(SteadyTime until) {
        while (!in_service_.empty() && in_service_.top().ends <= until) {
            const InService done = in_service_.top();
            in_service_.pop();
            clock.advance_to(done.ends);
            ++free_lines_;
            --store.work_by_group[group].at(done.level);
            responses.served(group, overload::Seconds(done.service_s), true);
            const overload::Seconds took = done.ends - done.came;
            responses.responded(group, done.level, took);
            took_s.at(done.level).push_back(took.count());
            begin();
        }
        clock.advance_to(until);
    }

    static constexpr GroupId group{1};
    ManualClock clock;
    HeldStore store;
    overload::ResponseModel responses{clock};
    std::array<std::vector<double>, level_count> took_s;

private:
    struct InService {
        SteadyTime ends;
        SteadyTime came;
        Level level;
        double service_s;
        bool operator<(const InService& other) const { return ends > other.ends; }
    };

    void begin() {
        for (std::size_t level = level_count; level > 0 && free_lines_ > 0;) {
            auto& queue = waiting_.at(level - 1);
            if (queue.empty()) {
                --level;
                continue;
            }
            --free_lines_;
            const double s =
                settings_.exponential ? exponential(settings_.service_s) : settings_.service_s;
            in_service_.push({clock.steady() + std::chrono::nanoseconds(std::llround(s * 1e9)),
                              queue.front(), static_cast<Level>(level - 1), s});
            queue.pop_front();
        }
    }

    const QueueWorldSettings settings_;
    SeededRandom random_;
    std::array<std::deque<SteadyTime>, level_count> waiting_;
    std::priority_queue<InService> in_service_;
    std::uint32_t free_lines_;

public:
    bool dead = false;  ///< no line can send, though what is in flight is finished
    overload::Admission admission{
        {.protect = settings_.protect,
         .t_max = {settings_.t_max, settings_.t_max, settings_.t_max, settings_.t_max,
                   settings_.t_max, settings_.t_max, settings_.t_max}},
        store,
        responses,
        [this](const std::string&) {
            return ports::GroupLines{.able = dead ? 0 : settings_.lines, .total = settings_.lines};
        },
        clock};
};

}  // namespace smsrack::test
