// In process: the filters of all topics, whole numbers, the cache of confirmed pairs.
#include "src/dedup/confirmed_pairs.hpp"
#include "src/dedup/serving_set.hpp"
#include "tools/bench/dedup_parts.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

namespace smsrack::bench {
namespace {

using dedup::ConfirmedPairs;
using dedup::Held;
using dedup::PairKey;
using dedup::ServingSet;

constexpr HashKey key{0x44, 0x45, 0x44, 0x55, 0x50};
constexpr std::uint64_t absent_asked = 10'000'000;
constexpr double fp_bound = 1e-4;
constexpr double events_aim = 2'000'000;
constexpr double bloom_bits = 28;  // of the blocked Bloom filter that this had to beat

struct Errors {
    std::uint64_t missed = 0;  // of all pairs
    std::uint64_t wrong = 0;   // of the absent ones
};

std::uint64_t held_of(const ServingSet& set, std::span<const PairKey> batch) {
    static thread_local std::vector<Held> held;
    held.resize(batch.size());
    set.find(batch, held);
    return batch.size() - static_cast<std::uint64_t>(std::ranges::count(held, Held::no));
}

void take(ServingSet& set, std::span<const PairKey> batch) {
    static thread_local std::vector<Held> held;
    held.resize(batch.size());
    set.test_and_insert(batch, held);
}

Errors errors_of(const ServingSet& set, const DedupWork& work) {
    Errors errors;
    (void)timed_batches(
        work.pairs(), [&](std::uint64_t serial) { return work.pair(serial); },
        [&](std::span<const PairKey> batch) {
            errors.missed += batch.size() - held_of(set, batch);
        });
    (void)timed_batches(
        absent_asked, [&](std::uint64_t serial) { return work.absent(serial); },
        [&](std::span<const PairKey> batch) { errors.wrong += held_of(set, batch); });
    return errors;
}

double bits_a_pair(std::uint64_t bytes, const DedupWork& work) {
    return static_cast<double>(bytes) * 8 / static_cast<double>(work.pairs());
}

void measure_set(const DedupWork& work, double fp_rate, const std::string& name, Report& report) {
    ServingSet set({.capacity = work.numbers, .fp_rate = fp_rate}, key);
    const double seconds = timed_batches(
        work.pairs(), [&](std::uint64_t serial) { return work.pair(serial); },
        [&](std::span<const PairKey> batch) { take(set, batch); });
    const std::uint64_t bytes = set.bytes();
    const Errors errors = errors_of(set, work);
    double estimated = 0;
    for (const dedup::TopicFigures& topic : set.topics()) {
        estimated = std::max(estimated, topic.estimated_fp_rate);
    }
    const double rate =
        event_rate(work, work.events, [&](std::span<const PairKey> batch) { take(set, batch); });
    const auto add = [&](const char* what, double value, const char* unit, int decimals,
                         Goal goal = {}) {
        report.figures.push_back({.name = fmt::format("{}: {}", name, what),
                                  .value = value,
                                  .unit = unit,
                                  .decimals = decimals,
                                  .goal = goal});
    };
    add("events tested, the new ones taken", rate, "/s", 0, at_least({}, events_aim));
    add("filled", static_cast<double>(work.pairs()) / seconds, "/s", 0);
    add("memory, full", static_cast<double>(bytes) / 1e6, "MB", 1);
    add("bits a pair", bits_a_pair(bytes, work), "", 2,
        fp_rate > 0 ? at_most({}, bloom_bits) : Goal{});
    add("false positives, of 10,000,000 absent pairs",
        static_cast<double>(errors.wrong) / absent_asked, "", 7,
        at_most(fp_rate > 0 ? fp_bound : 0));
    add("the same, as the filters estimate it", estimated, "", 7);
    add("false negatives, of all pairs", static_cast<double>(errors.missed), "", 0, at_most(0));
    report.broken = report.broken || errors.missed != 0 ||
                    static_cast<double>(errors.wrong) > fp_rate * absent_asked;
}

/// As a feed with `verify` asks: the cache, then the filter of what it does not know; what neither decides, the index would.
class Verdicts {
public:
    explicit Verdicts(const DedupWork& work)
        : set_({.capacity = work.numbers, .fp_rate = fp_bound}, key),
          cache_(ConfirmedPairs::usual_bytes, key) {}

    void insert(std::span<const PairKey> batch) {
        set_.insert(batch);
        cache_.insert(batch);
    }
    void ask(std::span<const PairKey> batch) {
        const std::span<bool> cached = std::span(cached_).first(batch.size());
        cache_.contains(batch, cached);
        others_.clear();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (!cached[i]) {
                others_.push_back(batch[i]);
            }
        }
        const std::span<Held> held = std::span(held_).first(others_.size());
        set_.test_and_insert(others_, held);
        to_index_ += static_cast<std::uint64_t>(std::ranges::count(held, Held::maybe));
        events_ += batch.size();
    }
    [[nodiscard]] const ConfirmedPairs& cache() const { return cache_; }
    [[nodiscard]] double to_index() const {
        return static_cast<double>(to_index_) / static_cast<double>(events_);
    }

private:
    ServingSet set_;
    ConfirmedPairs cache_;
    std::array<bool, dedup_batch> cached_ = {};
    std::array<Held, dedup_batch> held_ = {};
    std::vector<PairKey> others_ = {};
    std::uint64_t events_ = 0;
    std::uint64_t to_index_ = 0;
};

void measure_verdicts(const DedupWork& work, Report& report) {
    Verdicts verdicts(work);
    const ConfirmedPairs& cache = verdicts.cache();
    const double seconds = timed_batches(
        work.pairs(), [&](std::uint64_t serial) { return work.pair(serial); },
        [&](std::span<const PairKey> batch) { verdicts.insert(batch); });
    const double rate =
        event_rate(work, work.events, [&](std::span<const PairKey> batch) { verdicts.ask(batch); });
    report.figures.push_back({.name = "cache, then filter: events",
                              .value = rate,
                              .unit = "/s",
                              .decimals = 0,
                              .goal = at_least({}, events_aim)});
    report.figures.push_back({.name = "cache, then filter: events left for the index",
                              .value = verdicts.to_index(),
                              .decimals = 7});
    report.figures.push_back(
        {.name = "cache: memory", .value = static_cast<double>(cache.bytes()) / 1e6, .unit = "MB"});
    report.figures.push_back(
        {.name = "cache: pairs held, of all",
         .value = static_cast<double>(cache.pairs()) / static_cast<double>(work.pairs()),
         .decimals = 7});
    report.figures.push_back({.name = "cache and filter: filled",
                              .value = static_cast<double>(work.pairs()) / seconds,
                              .unit = "/s",
                              .decimals = 0});
}

}  // namespace

Result<> dedup_memory(const Context& context, const DedupWork& work, Report& report) {
    measure_set(work, fp_bound, "filters", report);
    if (context.interrupt.came()) {
        return rig::called_off();
    }
    measure_set(work, 0, "whole numbers", report);
    if (context.interrupt.came()) {
        return rig::called_off();
    }
    measure_verdicts(work, report);
    return {};
}

}  // namespace smsrack::bench
