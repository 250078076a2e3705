#include "tests/programs/support/fault_case.hpp"

#include "tests/programs/support/steady_load.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/rig/sim_log.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <stop_token>
#include <thread>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr unsigned watchers = 3;  // lines to which nothing is ever done
// At a message each second (a real modem takes longer) 2 % are 20 ms of each, 240 ms of a window: more
// than a message waits for the processor while the machine does other things too.
constexpr auto window = 12s;
constexpr const char* service_ms = "1000";
constexpr auto a_few_messages = 2500ms;
constexpr double as_fast = 0.98;
// A stall of the whole machine in one window shows as a fault's doing. So a round counts by itself
// where the machine did not stall in it, which is measured at the same time; of rounds in which it
// did there are this many, and they count together. What the rates were has no say in how many
// rounds there are.
constexpr int rounds_max = 4;
constexpr auto smooth_below = 120ms;  // of a window: half of what would fail it
constexpr auto back_within = 120s;
constexpr auto out_for = 10s;  // of a line that is not to send
constexpr auto all_ended_within = 120s;
constexpr auto inbox_within = 6min;  // what no +CMTI told of is looked for every 5 minutes

constexpr const char* config = R"([queue]
uncertain_s = 10
retry_base_s = 1
cool_s = 5

[defaults]
submit_slow_s = 2
submit_timeout_s = 5
smsc = "+33609001390"

)";

struct Window {
    SteadyTime from = {};
    SteadyTime to = {};
    std::chrono::nanoseconds stalled{0};  // of that the machine
};

/// How long a thread that has nothing to do but to wake was not let run.
class StallWatch {
public:
    [[nodiscard]] std::chrono::nanoseconds stalled() const {
        return std::chrono::nanoseconds(stalled_.load());
    }

private:
    void watch(const std::stop_token& end) {
        while (!end.stop_requested()) {
            const auto asleep = steady_clock::now();
            std::this_thread::sleep_for(period);
            const auto late = steady_clock::now() - asleep - period;
            stalled_ += late < usual ? 0 : std::chrono::nanoseconds(late).count();
        }
    }

    static constexpr auto period = 5ms;
    static constexpr auto usual = 3ms;
    std::atomic<std::int64_t> stalled_ = 0;
    std::jthread thread_{[this](const std::stop_token& end) { watch(end); }};
};

/// Case N is on modem N.
RackPlan plan_of(const std::vector<FaultCase>& cases, const TempDir& dir) {
    RackPlan plan{.modems = static_cast<unsigned>(cases.size()) + watchers,
                  .sim_options = {"--service-ms", service_ms, "--report-ms", "300"},
                  .config = config,
                  .state_dir = dir.path() / "state"};
    for (unsigned n = 0; n < cases.size(); ++n) {
        if (const std::string pin = cases[n].pin; !pin.empty()) {
            const auto file = dir.path() / fmt::format("pin{}", n);
            std::ofstream(file) << pin << "\n";
            plan.modem_keys[n] = fmt::format("pin = {{ file = \"{}\" }}\n", file.string());
        }
    }
    return plan;
}

/// "inbound 7" of a text that continues after it.
std::string head_of(const std::string& text) {
    return text.substr(0, text.find(' ', text.find(' ') + 1));
}

class FaultRun {
public:
    explicit FaultRun(const std::vector<FaultCase>& cases)
        : cases_(cases),
          rack_(plan_of(cases, dir_)),
          load_(rack_, std::size_t{10} * (cases.size() + watchers)),
          rounds_(cases.size()) {}

    void run() {
        load_.run_for(3s);  // the rack is in step
        Window before = calm();
        for (unsigned line = 0; line < cases_.size(); ++line) {
            before = run_case(line, before);
        }
        CHECK(load_.finish(all_ended_within));
        audit();
        audit_inbox();
    }

private:
    /// Answers the last window without a fault.
    Window run_case(unsigned line, Window before) {
        const FaultCase& one = cases_[line];
        const std::string name = one.name;
        CAPTURE(name);
        std::vector<Window> without{before};
        std::vector<Window> with;
        bool smooth = false;
        while (!smooth && rounds_[line] < rounds_max) {
            ++rounds_[line];
            with.push_back(disturbed(line));
            const std::string back = wait_back(line);
            without.push_back(calm());
            const auto stalled = std::max(with.back().stalled, without.back().stalled);
            smooth = stalled < smooth_below;
            MESSAGE(fmt::format("{}: {}; the machine stalled for {} ms", name, back,
                                std::chrono::floor<std::chrono::milliseconds>(stalled).count()));
            if (smooth) {  // it says enough by itself
                with = {with.back()};
                without = {without.back()};
            }
        }
        const Slowest slow = slowest(line, with, without);
        MESSAGE(fmt::format(
            "{}: the slowest other line, m{}, at {:.2f} % of its rate, {} ms between two submits "
            "at most",
            name, slow.line, 100 * slow.ratio, longest_gap(slow.line, with.back()).count()));
        CHECK(slow.ratio >= as_fast);
        return without.back();
    }

    /// Until the line has sent again, where it should; else until it might have: what came of it.
    std::string wait_back(unsigned line) {
        const bool should = cases_[line].back;
        const int taken = submits_of(line);
        const auto mended = steady_clock::now();
        const bool back = load_.run_until(should ? back_within : out_for,
                                          [&] { return submits_of(line) > taken + 1; });
        CHECK(back == should);
        return back ? fmt::format(
                          "back after {:.1f} s",
                          std::chrono::duration<double>(steady_clock::now() - mended).count())
                    : "out";
    }

    /// A window without a fault. What follows it is needed to know it to its end.
    Window calm() {
        const auto stalled = stalls_.stalled();
        const SteadyTime from = steady_clock::now();
        load_.run_for(window);
        const Window whole{from, steady_clock::now(), stalls_.stalled() - stalled};
        load_.run_for(a_few_messages);
        return whole;
    }

    Window disturbed(unsigned line) {
        const auto stalled = stalls_.stalled();
        const SteadyTime from = steady_clock::now();
        const auto until = [&](std::chrono::milliseconds at) {
            load_.run_for(std::chrono::ceil<std::chrono::milliseconds>(
                std::max(from + at - steady_clock::now(), SteadyTime::duration::zero())));
        };
        for (const FaultOrder& step : cases_[line].begin) {
            until(step.at);
            order(line, step.order);
        }
        until(window);
        const Window whole{from, steady_clock::now(), stalls_.stalled() - stalled};
        for (const wire::Json& end : cases_[line].end) {
            order(line, end);
        }
        return whole;
    }

    void order(unsigned line, wire::Json what) const {
        what["modem"] = line;
        (void)rack_.simulate(what);
    }

    [[nodiscard]] int submits_of(unsigned line) const {
        return rack_.simulate({{"do", "stats"}}).at("modems").at(line).at("submits");
    }

    [[nodiscard]] rig::SimLog log() const {
        auto log = rig::read_sim_log(rack_.folder() / "submits.jsonl");
        REQUIRE(log);
        return std::move(*log);
    }

    struct Slowest {
        unsigned line = 0;
        double ratio = 2;
    };
    /// Of the lines to which nothing was done yet: the least of rate with a fault by rate without.
    [[nodiscard]] Slowest slowest(unsigned line, const std::vector<Window>& with,
                                  const std::vector<Window>& without) const {
        const rig::SimLog all = log();
        const auto mean = [&](const std::vector<Window>& windows) {
            std::map<unsigned, double> sum;
            for (const Window& one : windows) {
                for (const auto& [modem, rate] : line_rates(all.submits, one.from, one.to)) {
                    sum[modem] += rate / static_cast<double>(windows.size());
                }
            }
            return sum;
        };
        auto fast = mean(without);
        auto slow = mean(with);
        Slowest least;
        for (unsigned other = line + 1; other < cases_.size() + watchers; ++other) {
            CHECK(fast[other] > 0.8);  // of 1 a second: there was enough to send
            if (const double ratio = slow[other] / fast[other]; ratio < least.ratio) {
                least = {other, ratio};
            }
        }
        return least;
    }

    /// From one submit of the line to its next, at most, of those that end `within`.
    [[nodiscard]] std::chrono::milliseconds longest_gap(unsigned line, const Window& within) const {
        SteadyTime before = within.from;
        SteadyTime::duration longest{0};
        for (const rig::SimSubmit& submit : log().submits) {
            if (submit.modem != line || submit.at > within.to) {
                continue;
            }
            if (submit.at > within.from) {
                longest = std::max(longest, submit.at - before);
            }
            before = submit.at;
        }
        return std::chrono::floor<std::chrono::milliseconds>(longest);
    }

    void audit() const {
        Told told = load_.told();
        (void)load_.check_truth(told);
        for (unsigned line = 0; line < cases_.size() + watchers; ++line) {
            const bool watcher = line >= cases_.size();
            const std::string name = watcher ? "nothing was done to it" : cases_[line].name;
            CAPTURE(name);
            const std::string modem = fmt::format("m{}", line);
            CHECK(told.unknown[modem] <= (watcher ? 0 : cases_[line].unknown * rounds_[line]));
            CHECK(told.refused[modem] == (watcher ? 0 : cases_[line].refused * rounds_[line]));
        }
    }

    /// What the modems stored is in the inbox, each once.
    void audit_inbox() const {
        std::size_t undecodable = 0;
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            undecodable += static_cast<std::size_t>(cases_[i].undecodable * rounds_[i]);
        }
        std::set<std::uint64_t> stored;
        for (const rig::SimInbound& inbound : log().received) {
            stored.insert(inbound.id);
        }
        stored.erase(0);  // of unreadable PDUs
        CHECK(wait_for(inbox_within,
                       [&] { return rack_.inbox().size() >= stored.size() + undecodable; }));
        std::multiset<std::string> texts;
        for (const wire::Json& row : rack_.inbox()) {
            row.value("undecodable", false) ? void(--undecodable)
                                            : void(texts.insert(head_of(row.at("text"))));
        }
        CHECK(undecodable == 0);
        CHECK(texts.size() == stored.size());
        for (const std::uint64_t id : stored) {
            CAPTURE(id);
            CHECK(texts.count(fmt::format("inbound {}", id)) == 1);
        }
    }

    const std::vector<FaultCase>& cases_;
    // No power is cut here: a disk that is slow while others write to it is not a fault's doing.
    const TempDir dir_{TempDir::memory()};
    const Rack rack_;
    SteadyLoad load_;
    std::vector<int> rounds_;
    const StallWatch stalls_;
};

}  // namespace

void run_fault_cases(const std::vector<FaultCase>& cases) {
    FaultRun(cases).run();
}

}  // namespace smsrack::test
