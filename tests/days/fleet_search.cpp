#include "tests/days/fleet_search.hpp"

#include "tests/days/fleet_seed.hpp"
#include "tests/days/side_by_side.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace smsrack::days {
namespace {

void print_violation(const test::FleetOptions& options, const test::FleetResult& result) {
    fmt::print("seed {}: {}\n", options.seed, result.violation);
    for (const std::string& line : result.story) {
        fmt::print("  {}\n", line);
    }
    fmt::print(
        "again: smsrack-simulate --boxes {} --seed {} --hours {} --messages {} --faults {} "
        "--crashes {}{}\n",
        options.boxes, options.seed, options.hours, options.messages, options.faults, options.kills,
        options.rule.empty() ? "" : " --rule " + options.rule);
}

/// False: one was wrong, and the search ended there.
bool run(const FleetSearch& search, test::FleetTotals& all) {
    test::FleetOptions next = search.first;
    const std::uint64_t end = next.seed + search.seeds;
    const auto begin = [&]() -> std::unique_ptr<FleetSeed> {
        if (next.seed == end) {
            return nullptr;
        }
        auto process = std::make_unique<FleetSeed>(next, next.folder,
                                                   days::longest(next, search.jobs, processors()));
        ++next.seed;
        return process;
    };
    return days::run_side_by_side(search.interrupt, search.jobs, begin, [&](FleetSeed& oldest) {
        const test::FleetResult result = oldest.result();
        fmt::print(stderr, "seed {}: {:.1f} s, fingerprint {:016x}{}\n", oldest.options().seed,
                   oldest.age().count(), result.fingerprint,
                   result.violation.empty() ? "" : ", WRONG");
        all.add(result.totals);
        if (!result.violation.empty()) {
            print_violation(oldest.options(), result);
        }
        return result.violation.empty();
    });
}

}  // namespace

bool search_fleet(const FleetSearch& search) {
    test::FleetTotals all;
    const bool well = run(search, all);
    bool enough = true;
    for (std::size_t i = 0; i < all.counts.size(); ++i) {
        const bool is_seldom =
            i >= test::first_fleet_trouble && all.counts.at(i) < search.each_fault;
        enough = enough && !is_seldom;
        fmt::print("  {:<24} {:>12}{}\n", test::fleet_count_names.at(i), all.counts.at(i),
                   is_seldom ? "  too seldom" : "");
    }
    fmt::print("{} hours of {} boxes, {} messages: {}\n", search.seeds * search.first.hours,
               search.first.boxes, all[test::FleetCount::accepted],
               well && enough ? "nothing wrong" : "WRONG, see above");
    return well && enough;
}

}  // namespace smsrack::days
