// smsrack-simulate: days of a rack from a seed, in simulated time, with all that must hold looked at between any two turns.
#include "tests/days/code_hash.hpp"
#include "tests/days/seed_process.hpp"
#include "tests/days/seeds_lived.hpp"
#include "tools/rig/interrupt.hpp"

#define DOCTEST_CONFIG_IMPLEMENT
#include <CLI/CLI.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>
#include <thread>

using namespace smsrack;
using days::DaysOptions;
using days::DaysTotals;
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

/// In order of the seeds, as many side by side as there are jobs. False: one was wrong, and the search ended there.
bool run(const Search& search, SeedsLived& lived, DaysTotals& all) {
    std::deque<std::unique_ptr<SeedProcess>> running;
    DaysOptions next = search.first;
    const std::uint64_t end = search.first.seed + search.seeds;
    const unsigned processors = std::max(std::thread::hardware_concurrency(), 1U);
    while (next.seed < end || !running.empty()) {
        if (const auto earlier = lived.find(next.seed); next.seed < end && earlier) {
            all.add(*earlier);
            ++next.seed;
            continue;
        }
        if (next.seed < end && running.size() < search.jobs) {
            running.push_back(
                std::make_unique<SeedProcess>(next, days::longest(next, search.jobs, processors)));
            ++next.seed;
            continue;
        }
        while (!running.front()->has_result()) {
            if (search.interrupt.rest(std::chrono::milliseconds(20))) {
                throw std::runtime_error("called off");
            }
        }
        const auto oldest = std::move(running.front());
        running.pop_front();
        const days::DaysResult result = oldest->result();
        fmt::print(stderr, "seed {}: {} days, {:.1f} s, fingerprint {:016x}{}\n",
                   oldest->options().seed, result.totals.days, oldest->age().count(),
                   result.fingerprint, result.violation.empty() ? "" : ", WRONG");
        all.add(result.totals);
        if (!result.violation.empty()) {
            print_violation(oldest->options(), result);
            return false;
        }
        lived.add(oldest->options().seed, result.totals);
    }
    return true;
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
    app.add_option("--days", search.first.days, "of each seed")->capture_default_str();
    app.add_option("--messages", search.first.messages, "of each day")->capture_default_str();
    app.add_option("--inbound", search.first.inbound, "of each day")->capture_default_str();
    app.add_option("--faults", search.first.faults, "of each day")->capture_default_str();
    app.add_option("--crashes", search.first.crashes, "of each day")->capture_default_str();
    app.add_flag("--scaling", search.first.scaling,
                 "every rack parks lines and protects its promises");
    app.add_option("--rule", search.first.rule,
                   "run only this checker, such as order: shows what it sees by itself")
        ->check(CLI::IsMember(
            std::vector<std::string>(days::rule_names.begin(), days::rule_names.end())));
    app.add_option("--jobs", search.jobs, "seeds at the same time")
        ->check(CLI::Range(1, 1'024))
        ->capture_default_str();
    app.add_option("--each-fault", search.each_fault,
                   "fail if a kind of fault occurred less often in all")
        ->capture_default_str();
    app.add_option("--record", search.record,
                   "a file that records which seeds were run: after an interruption the same "
                   "command continues there");
    app.add_option("--folder", search.first.folder,
                   "folder for the files of each seed while it runs")
        ->check(CLI::ExistingDirectory)
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    doctest::Context context;
    stop_at_assertions(context);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    // Where there is no reader any more, a line that can't be written is an exception as any other,
    // and seeds are ended in order.
    (void)std::signal(SIGPIPE, SIG_IGN);
    try {
        return search_all(search) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fputs(fmt::format("smsrack-simulate: {}\n", error.what()).c_str(), stderr);
        return interrupt.came() ? 130 : 1;
    }
}
