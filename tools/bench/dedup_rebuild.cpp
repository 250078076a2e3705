// A rebuild while a feed continues: its longest pause, and nothing missed.
#include "src/dedup/serving_set.hpp"
#include "tools/bench/dedup_parts.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <span>
#include <thread>
#include <vector>

namespace smsrack::bench {
namespace {

using dedup::Held;
using dedup::PairKey;
using dedup::ServingSet;
using std::chrono::steady_clock;

constexpr HashKey key{0x52, 0x45, 0x42};
constexpr double fp_rate = 1e-4;
constexpr double pause_bound_ms = 50;
constexpr std::size_t feed_batch = 256;

double seconds_since(steady_clock::time_point begun) {
    return std::chrono::duration<double>(steady_clock::now() - begun).count();
}

struct Fed {
    double longest_ms = 0;      // one batch
    double longest_cpu_ms = 0;  // one batch, without what the thread waited for a core
    std::uint64_t events = 0;
    std::uint64_t missed = 0;  // repeats that were called new
};

/// Repeats alone, until ordered to stop: each must be known.
void feed(ServingSet& set, const DedupWork& work, const std::atomic<bool>& stop, Fed& fed) {
    modem_sim::SplitMix random(2);
    std::vector<PairKey> batch(feed_batch);
    std::vector<Held> held(feed_batch);
    while (!stop) {
        for (PairKey& event : batch) {
            event = work.pair(random.below(work.pairs()));
        }
        const auto begun = steady_clock::now();
        const double cpu_begun = thread_cpu_seconds();
        set.test_and_insert(batch, held);
        fed.longest_cpu_ms = std::max(fed.longest_cpu_ms, (thread_cpu_seconds() - cpu_begun) * 1e3);
        fed.longest_ms = std::max(fed.longest_ms, seconds_since(begun) * 1e3);
        fed.missed += static_cast<std::uint64_t>(std::ranges::count(held, Held::no));
        fed.events += batch.size();
    }
}

Result<double> rebuild_seconds(ServingSet& set, const DedupWork& work) {
    auto rebuild = set.begin_rebuild();
    if (!rebuild) {
        return std::unexpected(rebuild.error());
    }
    const double seconds = timed_batches(
        work.pairs(), [&](std::uint64_t serial) { return work.pair(serial); },
        [&](std::span<const PairKey> batch) { rebuild->add(batch); });
    if (const auto committed = rebuild->commit(); !committed) {
        return std::unexpected(committed.error());
    }
    return seconds;
}

}  // namespace

Result<> dedup_rebuild(const Context& /*context*/, const DedupWork& work, Report& report) {
    ServingSet set({.capacity = work.numbers, .fp_rate = fp_rate}, key);
    (void)timed_batches(
        work.pairs(), [&](std::uint64_t serial) { return work.pair(serial); },
        [&](std::span<const PairKey> batch) { set.insert(batch); });
    std::atomic<bool> stop = false;
    Fed fed;
    std::jthread feeder([&] { feed(set, work, stop, fed); });
    const auto rebuilt = rebuild_seconds(set, work);
    stop = true;
    feeder.join();
    if (!rebuilt) {
        return std::unexpected(rebuilt.error());
    }
    report.figures.push_back(
        {.name = "rebuild of all topics, beside a feed, without reading records",
         .value = *rebuilt,
         .unit = "s CPU",
         .decimals = 2});
    report.figures.push_back({.name = "rebuild: longest batch of the feed meanwhile (256 events)",
                              .value = fed.longest_ms,
                              .unit = "ms",
                              .decimals = 2,
                              .goal = at_most(pause_bound_ms)});
    report.figures.push_back({.name = "the same by CPU time, without waiting for a core",
                              .value = fed.longest_cpu_ms,
                              .unit = "ms",
                              .decimals = 3});
    report.figures.push_back(
        {.name = fmt::format("rebuild: repeats called new, of {} meanwhile", fed.events),
         .value = static_cast<double>(fed.missed),
         .decimals = 0,
         .goal = at_most(0)});
    report.broken = report.broken || fed.missed != 0;
    return {};
}

}  // namespace smsrack::bench
