/// The work of the question `dedup`: topics, pairs and events, generated from a serial number, so
/// that none is kept in memory.
///
/// Unit:    a serial of a pair below `pairs`; each topic has its own numbers. A second is one of CPU time of the calling
///          thread, since benchmarks share their machine.
#pragma once

#include "src/dedup/pair_key.hpp"
#include "tools/modem_model/faults/split_mix.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace smsrack::bench {

struct DedupWork {
    std::uint32_t topics = 40;
    std::uint64_t numbers = 1'000'000;  ///< of each topic
    double repeats = 0.95;  ///< of the events; the others are of pairs that were never there
    std::uint64_t events = 10'000'000;

    [[nodiscard]] std::uint64_t pairs() const { return topics * numbers; }

    /// Numbers as a network gives them out: in ranges, with holes.
    [[nodiscard]] dedup::PairKey pair(std::uint64_t serial) const {
        constexpr std::uint64_t first = 33'600'000'000;
        const std::uint64_t topic = serial % topics;
        return {.number = first + topic * 10'000'000 + serial / topics * 7,
                .topic = static_cast<std::uint32_t>(topic)};
    }
    /// Never one of pair(); any serial.
    [[nodiscard]] dedup::PairKey absent(std::uint64_t serial) const {
        constexpr std::uint64_t first = 447'000'000'000;
        return {.number = first + serial, .topic = static_cast<std::uint32_t>(serial % topics)};
    }
};

/// A look, in a minute.
[[nodiscard]] inline DedupWork quick_work() {
    return {.topics = 4, .events = 1'000'000};
}
[[nodiscard]] inline std::string described(const DedupWork& work) {
    return fmt::format(
        "{} topics of {} numbers; {} events, {:.0f} % of them repeats drawn evenly "
        "from all pairs",
        work.topics, work.numbers, work.events, work.repeats * 100);
}

/// Events in the order of a feed: repeats drawn evenly from all pairs, and new ones.
class DedupEvents {
public:
    DedupEvents(const DedupWork& work, std::uint64_t seed) : work_(work), random_(seed) {}

    void fill(std::vector<dedup::PairKey>& batch) {
        constexpr std::uint64_t steps = 1'000'000;
        const auto repeats = static_cast<std::uint64_t>(work_.repeats * steps);
        for (dedup::PairKey& event : batch) {
            event = random_.below(steps) < repeats ? work_.pair(random_.below(work_.pairs()))
                                                   : work_.absent(fresh_++);
        }
    }

private:
    const DedupWork& work_;
    modem_sim::SplitMix random_;
    std::uint64_t fresh_ = 1'000'000'000;
};

inline double thread_cpu_seconds() {
    timespec now = {};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline constexpr std::size_t dedup_batch = 1'024;

/// use(batch) for `count` pairs made by make(serial); CPU seconds of `use` alone.
template <typename Make, typename Use>
double timed_batches(std::uint64_t count, const Make& make, const Use& use) {
    std::vector<dedup::PairKey> batch;
    double seconds = 0;
    for (std::uint64_t at = 0; at < count; at += dedup_batch) {
        batch.resize(static_cast<std::size_t>(std::min<std::uint64_t>(dedup_batch, count - at)));
        for (std::size_t i = 0; i < batch.size(); ++i) {
            batch[i] = make(at + i);
        }
        const double begun = thread_cpu_seconds();
        use(batch);
        seconds += thread_cpu_seconds() - begun;
    }
    return seconds;
}

/// The same for the events of a feed. Gives events a second.
template <typename Use>
double event_rate(const DedupWork& work, std::uint64_t events, const Use& use) {
    DedupEvents feed(work, 1);
    std::vector<dedup::PairKey> batch(dedup_batch);
    double seconds = 0;
    std::uint64_t done = 0;
    for (; done < events; done += batch.size()) {
        feed.fill(batch);
        const double begun = thread_cpu_seconds();
        use(batch);
        seconds += thread_cpu_seconds() - begun;
    }
    return static_cast<double>(done) / seconds;
}

}  // namespace smsrack::bench
