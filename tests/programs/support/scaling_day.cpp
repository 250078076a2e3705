#include "tests/programs/support/scaling_day.hpp"

#include "src/base/time_text.hpp"
#include "tools/rig/sim_log.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// A line of 200 ms carries four messages a second, with all that goes around a submit.
constexpr const char* service_ms = "200";
constexpr double node_rate = 4;

constexpr auto tick = 50ms;           // far below a sample
constexpr auto night_longest = 120s;  // six lines to park, of a machine that is busy
constexpr auto end_within = 120s;

RackPlan rack_of(const DayPlan& plan) {
    return {.modems = static_cast<unsigned>(plan.lines),
            .sim_options = {"--service-ms", service_ms, "--report-ms", "200", "--seed", "5"},
            .config = fmt::format("[priority]\nprotect = false\n\n[scaling]\nenabled = true\n"
                                  "n_min = {}\nsamples = {}\nperiod_ms = {}\nnode_rate = {}\n",
                                  plan.lines_least, plan.samples, plan.period.count(), node_rate)};
}

void wait_until(steady_clock::time_point next) {
    (void)wait_for(tick, [&] { return steady_clock::now() >= next; });
}

std::string modem_of(const wire::Json& decision) {
    const auto& modem = decision.at("modem");
    return modem.is_null() ? "" : modem.get<std::string>();
}

/// What the words must say of a rule that fired, by its number.
std::string sentence(int rule, const wire::Json& indicators) {
    struct Said {
        const char* indicator;
        const char* words;
    };
    static const std::map<int, Said> said{
        {1, {"out_flow", "the nodes had above 70 % to do"}},
        {2, {"out_store", "the store was filled above 70 %"}},
        {3, {"out_forecast", "the forecast was above 70 % of what they carry"}},
        {4, {"in_flow", "the nodes had below 10 % to do"}},
        {5, {"in_store", "the store was filled below 10 %"}}};
    const Said& its = said.at(rule);
    return fmt::format("in {} of {} samples {}", indicators.at(its.indicator).get<int>(),
                       indicators.at("samples").get<int>(), its.words);
}

/// `parked`: how many lines were, by the decisions before it. While none is, as when the modems still start, none can be let in.
void check_words(const wire::Json& decision, int parked) {
    const std::string why = decision.at("why");
    CAPTURE(decision.dump());
    const auto n = decision.at("n").get<int>();
    const auto y = decision.at("y").get<int>();
    CHECK(decision.at("indicators").at("samples").get<int>() > 0);
    if (y == n && parked == 0 && why.ends_with("; but no modem can be taken")) {
        CHECK(why.starts_with(fmt::format("{} -> ", n)));
        CHECK(modem_of(decision).empty());
    } else if (y == n) {
        CHECK(why.starts_with(fmt::format("stays at {}: ", n)));
    } else {
        const std::string did = y > n ? "in: " : "parked: ";
        CHECK(why.starts_with(fmt::format("{} -> {}: ", n, y)));
        CHECK_FALSE(modem_of(decision).empty());
        CHECK(why.ends_with("; " + did + modem_of(decision)));
        CHECK_FALSE(decision.at("rules").empty());
    }
    for (const wire::Json& rule : decision.at("rules")) {
        if (rule.is_number()) {
            CHECK(why.contains(sentence(rule.get<int>(), decision.at("indicators"))));
        }
    }
}

}  // namespace

ScalingDay::ScalingDay(DayPlan plan)
    : plan_(plan), rack_(rack_of(plan)), load_(rack_, 0), at_(steady_clock::now()), look_at_(at_) {}

void ScalingDay::live(double load) {
    const auto now = steady_clock::now();
    owed_ += load * Seconds(now - std::exchange(at_, now)).count();
    if (owed_ >= 1) {
        const double whole = std::floor(owed_);
        load_.post(static_cast<std::size_t>(whole));
        owed_ -= whole;
    }
    if (now >= look_at_) {
        look_at_ = now + plan_.period;
        open_ = rack_.get("/v1/scaling?limit=1").at("n").get<std::size_t>();
    }
}

bool ScalingDay::night() {
    const auto until = steady_clock::now() + night_longest;
    at_ = steady_clock::now();
    open_ = plan_.lines;
    auto next = at_;
    while (open_ > plan_.lines_least && steady_clock::now() < until) {
        next += tick;
        wait_until(next);
        live(plan_.night);
    }
    return open_ <= plan_.lines_least;
}

void ScalingDay::day(const std::function<void(Rack&)>& at_noon) {
    const auto begun = steady_clock::now();
    bool noon_due = static_cast<bool>(at_noon);
    at_ = begun;
    for (auto next = begun; next - begun < plan_.length; next += tick) {
        wait_until(next);
        const double part = Seconds(steady_clock::now() - begun) / Seconds(plan_.length);
        if (noon_due && part > 0.5) {
            noon_due = false;
            at_noon(rack_);
            at_ = steady_clock::now();
        }
        const double swing = (1 - std::cos(2 * std::numbers::pi * std::min(part, 1.0))) / 2;
        live(plan_.night + (plan_.noon - plan_.night) * swing);
        looks_.push_back({part, open_});
    }
}

void ScalingDay::check_messages() {
    CHECK(load_.finish(end_within));
    const rig::Truth truth = load_.check_truth(load_.told());
    CHECK(truth.refused == 0);
}

/// They come a window or two behind it.
void ScalingDay::check_lines_follow_load() const {
    const auto mean_open = [&](double from, double to) {
        double sum = 0;
        double looks = 0;
        for (const Look& look : looks_) {
            const bool counts = look.part >= from && look.part < to;
            sum += counts ? static_cast<double>(look.open) : 0;
            looks += counts ? 1 : 0;
        }
        REQUIRE(looks > 0);
        return sum / looks;
    };
    const double morning = mean_open(0, 0.2);
    const double noon = mean_open(0.5, 0.7);
    const std::size_t most = std::ranges::max(looks_, {}, &Look::open).open;
    MESSAGE(fmt::format("lines in work: {:.1f} in the morning, {:.1f} after noon, {} at the most",
                        morning, noon, most));
    CHECK(noon >= morning + 2);
    CHECK(static_cast<double>(most) >= std::floor(plan_.noon / node_rate));  // fewer can't carry it
}

std::vector<wire::Json> ScalingDay::decisions() const {
    const wire::Json page = rack_.get("/v1/scaling?limit=1000");
    std::vector<wire::Json> all(page.at("decisions").begin(), page.at("decisions").end());
    std::ranges::reverse(all);
    return all;
}

void ScalingDay::check_decisions() const {
    const auto all = decisions();
    const Finished shown = rack_.command({"scaling", "--limit", "1000"});
    CHECK(shown.ending.code == 0);
    std::size_t parked = 0;
    std::size_t let_in = 0;
    int now_parked = 0;
    for (const wire::Json& decision : all) {
        check_words(decision, now_parked);
        CHECK(shown.output.contains(decision.at("why").get<std::string>()));
        const int step = decision.at("y").get<int>() - decision.at("n").get<int>();
        now_parked -= step;
        (step > 0 ? let_in : parked) += step != 0 ? 1 : 0;
    }
    MESSAGE(
        fmt::format("{} decisions: parked {} times, let in {} times", all.size(), parked, let_in));
    CHECK(parked >= 6);
    CHECK(let_in >= 3);
}

void ScalingDay::check_parked_lines_rest() const {
    const auto log = rig::read_sim_log(rack_.folder() / "submits.jsonl");
    REQUIRE(log);
    const auto to_wall = std::chrono::system_clock::now().time_since_epoch() -
                         std::chrono::steady_clock::now().time_since_epoch();
    std::map<std::string, std::vector<std::pair<WallTime, bool>>> turns;  // by modem: when, parked
    for (const wire::Json& decision : decisions()) {
        const auto at = time_of(decision.at("at").get<std::string>());
        REQUIRE(at);
        const int step = decision.at("y").get<int>() - decision.at("n").get<int>();
        if (step != 0 && !modem_of(decision).contains(' ')) {
            turns[modem_of(decision)].emplace_back(*at, step < 0);
        }
    }
    std::map<std::pair<std::string, WallTime>, int> while_parked;
    for (const rig::SimSubmit& submit : log->submits) {
        const WallTime at(
            std::chrono::floor<WallTime::duration>(submit.at.time_since_epoch() + to_wall));
        const std::string modem = fmt::format("m{}", submit.modem);
        std::optional<std::pair<WallTime, bool>> last;
        for (const auto& turn : turns[modem]) {
            last = turn.first <= at ? turn : last;
        }
        if (last && last->second) {
            ++while_parked[{modem, last->first}];
        }
    }
    constexpr int in_hand = 2;  // and one that the line took by itself in the same moment
    for (const auto& [line, submits] : while_parked) {
        CAPTURE(line.first);
        CHECK(submits <= in_hand);
    }
}

}  // namespace smsrack::test
