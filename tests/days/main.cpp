// smsrack-simulate: days of a rack from a seed, in simulated time, with all that must hold looked at between any two turns.
#include "tests/days/code_hash.hpp"
#include "tests/days/fleet_search.hpp"
#include "tests/days/seed_process.hpp"
#include "tests/days/seeds_lived.hpp"
#include "tests/days/side_by_side.hpp"
#include "tests/fleet/days/fleet_watch.hpp"
#include "tools/rig/interrupt.hpp"

#define DOCTEST_CONFIG_IMPLEMENT
#include <CLI/CLI.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>

using namespace smsrack;
using days::DaysOptions;
using days::DaysTotals;
using days::FleetSearch;
using days::SeedProcess;
using days::SeedsLived;

namespace {

struct Search {
    DaysOptions first = {};
    std::uint64_t seeds = 1;
    unsigned jobs = 1;
    std::uint64_t each_fault = 0;
    std::string record = {};
    const rig::Interrupt& interrupt;
};

/// The world's own assertions, outside of a test.
void stop_at_assertions(doctest::Context& context) {
    context.setAsDefaultForAssertsOutOfTestCases();
    context.setAssertHandler([](const doctest::AssertData& data) {
        if (data.m_failed) {
            throw std::runtime_error(
                fmt::format("{}({}): {} is not so", data.m_file, data.m_line, data.m_expr));
        }
    });
}

void print_violation(const DaysOptions& options, const days::DaysResult& result) {
    fmt::print("seed {}: {}\n", options.seed, result.violation);
    for (const std::string& line : result.story) {
        fmt::print("  {}\n", line);
    }
    fmt::print(
        "again: smsrack-simulate --seed {} --days {} --messages {} --inbound {} --faults {} "
        "--crashes {}{}{}\n",
        options.seed, options.days, options.messages, options.inbound, options.faults,
        options.crashes, options.scaling ? " --scaling" : "",
        options.rule.empty() ? "" : " --rule " + options.rule);
}

/// False: one was wrong, and the search ended there.
bool run(const Search& search, SeedsLived& lived, DaysTotals& all) {
    DaysOptions next = search.first;
    const std::uint64_t end = search.first.seed + search.seeds;
    const auto begin = [&]() -> std::unique_ptr<SeedProcess> {
        for (; next.seed < end; ++next.seed) {
            if (const auto earlier = lived.find(next.seed)) {
                all.add(*earlier);
                continue;
            }
            auto process = std::make_unique<SeedProcess>(
                next, days::longest(next, search.jobs, days::processors()));
            ++next.seed;
            return process;
        }
        return nullptr;
    };
    return days::run_side_by_side(search.interrupt, search.jobs, begin, [&](SeedProcess& oldest) {
        const days::DaysResult result = oldest.result();
        fmt::print(stderr, "seed {}: {} days, {:.1f} s, fingerprint {:016x}{}\n",
                   oldest.options().seed, result.totals.days, oldest.age().count(),
                   result.fingerprint, result.violation.empty() ? "" : ", WRONG");
        all.add(result.totals);
        if (!result.violation.empty()) {
            print_violation(oldest.options(), result);
            return false;
        }
        lived.add(oldest.options().seed, result.totals);
        return true;
    });
}

/// What never happened proves nothing.
bool has_seen_enough(const DaysTotals& all, std::uint64_t each_fault) {
    bool enough = true;
    for (const auto& [name, times] : all.troubles()) {
        if (times < each_fault) {
            fmt::print("too seldom: {}\n", name);
            enough = false;
        }
    }
    return enough;
}

}  // namespace

bool search_all(const Search& search) {
    SeedsLived lived(search.record, days::code_hash, search.first);
    if (lived.size() > 0) {
        fmt::print(stderr, "{}: {} seeds were run before\n", search.record, lived.size());
    }
    DaysTotals all;
    const bool well = run(search, lived, all);
    for (const auto& [name, number] : all.rows()) {
        fmt::print("  {:<24} {:>12}\n", name, *number);
    }
    const bool right = has_seen_enough(all, search.each_fault) && well;
    fmt::print("{} rack-days, {} messages: {}\n", all.days, all.accepted,
               right ? "nothing wrong" : "WRONG, see above");
    return right;
}

int main(int argc, char** argv) {
    CLI::App app("Runs days of a rack in simulated time, and checks every rule that must hold.");
    const rig::Interrupt interrupt;
    Search search{.interrupt = interrupt};
    app.add_option("--seed", search.first.seed, "the first seed")->capture_default_str();
    app.add_option("--seeds", search.seeds, "number of seeds, one after the other")
        ->capture_default_str();
    auto* days = app.add_option("--days", search.first.days, "of each seed")->capture_default_str();
    auto* messages = app.add_option("--messages", search.first.messages, "of each day or hour")
                         ->capture_default_str();
    auto* inbound =
        app.add_option("--inbound", search.first.inbound, "of each day")->capture_default_str();
    auto* faults = app.add_option("--faults", search.first.faults, "of each day or hour")
                       ->capture_default_str();
    auto* crashes = app.add_option("--crashes", search.first.crashes, "of each day or hour")
                        ->capture_default_str();
    auto* scaling = app.add_flag("--scaling", search.first.scaling,
                                 "every rack parks lines and protects its promises");
    std::vector<std::string> rules(days::rule_names.begin(), days::rule_names.end());
    rules.insert(rules.end(), test::fleet_rule_names.begin(), test::fleet_rule_names.end());
    app.add_option("--rule", search.first.rule,
                   "run only this checker, such as order: shows what it sees by itself")
        ->check(CLI::IsMember(rules));
    app.add_option("--jobs", search.jobs, "seeds at the same time")
        ->check(CLI::Range(1, 1'024))
        ->capture_default_str();
    app.add_option("--each-fault", search.each_fault,
                   "fail if a kind of fault occurred less often in all")
        ->capture_default_str();
    auto* record =
        app.add_option("--record", search.record,
                       "a file that records which seeds were run: after an interruption the same "
                       "command continues there");
    app.add_option("--folder", search.first.folder,
                   "folder for the files of each seed while it runs")
        ->check(CLI::ExistingDirectory)
        ->capture_default_str();
    FleetSearch fleet{.interrupt = interrupt};
    auto* boxes = app.add_option("--boxes", fleet.first.boxes,
                                 "runs hours of a fleet of n boxes instead of days of a rack")
                      ->check(CLI::Range(2, 16));
    for (auto* of_a_rack : {days, inbound, scaling, record}) {
        boxes->excludes(of_a_rack);
    }
    app.add_option("--hours", fleet.first.hours, "of each seed of a fleet")
        ->needs(boxes)
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    const auto given = [](const CLI::Option* option, std::size_t value, std::size_t otherwise) {
        return option->count() > 0 ? value : otherwise;
    };
    fleet.first.seed = search.first.seed;
    fleet.first.messages = given(messages, search.first.messages, fleet.first.messages);
    fleet.first.faults = given(faults, search.first.faults, fleet.first.faults);
    fleet.first.kills = given(crashes, search.first.crashes, fleet.first.kills);
    fleet.first.rule = search.first.rule;
    fleet.first.folder = search.first.folder;
    fleet.seeds = search.seeds;
    fleet.jobs = search.jobs;
    fleet.each_fault = search.each_fault;

    doctest::Context context;
    stop_at_assertions(context);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    // Where there is no reader any more, a line that can't be written is an exception as any other,
    // and seeds are ended in order.
    (void)std::signal(SIGPIPE, SIG_IGN);
    try {
        return (boxes->count() > 0 ? search_fleet(fleet) : search_all(search)) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fputs(fmt::format("smsrack-simulate: {}\n", error.what()).c_str(), stderr);
        return interrupt.came() ? 130 : 1;
    }
}
