// smsrack-simulate: days of a rack from a seed, in simulated time, with all that must hold looked at between any two turns.
#include "tests/simulate/rack_days.hpp"

#define DOCTEST_CONFIG_IMPLEMENT
#include <CLI/CLI.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <string>

using namespace smsrack;

namespace {

/// The world's own assertions, outside of a test.
void throw_assertion(const doctest::AssertData& data) {
    throw std::runtime_error(
        fmt::format("{}({}): {} is not so", data.m_file, data.m_line, data.m_expr));
}

void print(const simulate::DaysTotals& totals) {
    fmt::print(
        "{} rack-days: {} accepted ({} times refused and asked again), {} segments at the "
        "network, {} came in\n",
        totals.days, totals.accepted, totals.refused, totals.at_network, totals.inbound);
    for (std::size_t i = 0; i < totals.crashes.size(); ++i) {
        fmt::print("  {:<22} {:>8}\n", simulate::crash_names.at(i), totals.crashes.at(i));
    }
    fmt::print("  {:<22} {:>8}\n  {:<22} {:>8}\n  {:<22} {:>8}\n  {:<22} {:>8}\n", "disk slow",
               totals.disk_slow, "disk full", totals.disk_full, "clock set", totals.clock_jumps,
               "line drained", totals.drains);
    for (const sim::FaultRow& row : sim::faults()) {
        fmt::print("  {:<22} {:>8}\n", row.name,
                   totals.faults.at(static_cast<std::size_t>(row.kind)));
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Lives days of a rack in simulated time, and looks whether all that must hold does.");
    simulate::DaysOptions options;
    std::uint64_t seeds = 1;
    app.add_option("--seed", options.seed, "the first seed")->capture_default_str();
    app.add_option("--seeds", seeds, "so many, one after the other")->capture_default_str();
    app.add_option("--days", options.days, "of each seed")->capture_default_str();
    app.add_option("--messages", options.messages, "of each day")->capture_default_str();
    app.add_option("--inbound", options.inbound, "of each day")->capture_default_str();
    app.add_option("--faults", options.faults, "of each day")->capture_default_str();
    app.add_option("--crashes", options.crashes, "of each day")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    doctest::Context context;
    context.setAsDefaultForAssertsOutOfTestCases();
    context.setAssertHandler([](const doctest::AssertData& data) {
        if (data.m_failed) {
            throw_assertion(data);
        }
    });
    simulate::DaysTotals all;
    for (const std::uint64_t end = options.seed + seeds; options.seed < end; ++options.seed) {
        const auto begun = std::chrono::steady_clock::now();
        simulate::DaysResult result;
        try {
            result = simulate::live(options, [](const simulate::DaysTotals&) {});
        } catch (const std::exception& error) {
            result.violation = error.what();
        }
        all.add(result.totals);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
        fmt::print(stderr, "seed {}: {} days, {:.1f} s{}\n", options.seed, result.totals.days,
                   took.count(), result.violation.empty() ? "" : ", WRONG");
        if (!result.violation.empty()) {
            fmt::print("seed {}: {}\n", options.seed, result.violation);
            for (const std::string& line : result.story) {
                fmt::print("  {}\n", line);
            }
            fmt::print(
                "again: smsrack-simulate --seed {} --days {} --messages {} --inbound {} "
                "--faults {} --crashes {}\n",
                options.seed, options.days, options.messages, options.inbound, options.faults,
                options.crashes);
            return 1;
        }
    }
    print(all);
    return 0;
}
