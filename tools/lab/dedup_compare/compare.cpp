#include "tools/lab/dedup_compare/compare.hpp"

#include "src/dedup/serving_set.hpp"
#include "tools/lab/dedup_compare/redis.hpp"
#include "tools/lab/dedup_compare/sets.hpp"
#include "tools/rig/usage.hpp"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

namespace smsrack::lab {
namespace {

using bench::DedupWork;
using bench::Report;
using dedup::Held;
using dedup::PairKey;

constexpr HashKey key{0x43, 0x4D, 0x50};
constexpr std::uint64_t redis_events = 500'000;  // it takes its time

/// What all the others are measured against.
struct Ours {
    double rate = 0;
    double bytes = 0;
};

void add_figures(Report& report, const std::string& name, double rate, double bytes,
                 const Ours& ours) {
    report.figures.push_back(
        {.name = name + ": events", .value = rate, .unit = "/s", .decimals = 0});
    report.figures.push_back({.name = name + ": events of the filters to one of its own",
                              .value = ours.rate / rate,
                              .decimals = 2});
    report.figures.push_back({.name = name + ": its memory to that of the filters",
                              .value = bytes / ours.bytes,
                              .decimals = 2});
}

template <typename Set>
double filled_and_asked(Set& set, const DedupWork& work, std::uint64_t& bytes) {
    (void)bench::timed_batches(
        work.pairs(), [&](std::uint64_t serial) { return work.pair(serial); },
        [&](std::span<const PairKey> batch) { (void)set.test_and_insert(batch); });
    bytes = set.bytes();
    return bench::event_rate(work, work.events, [&](std::span<const PairKey> batch) {
        (void)set.test_and_insert(batch);
    });
}

/// ServingSet as the others are asked.
class OurSet {
public:
    explicit OurSet(const DedupWork& work)
        : set_({.capacity = work.numbers, .fp_rate = 1e-4}, key) {}
    void test_and_insert(std::span<const PairKey> batch) {
        held_.resize(batch.size());
        set_.test_and_insert(batch, held_);
    }
    [[nodiscard]] std::uint64_t bytes() const { return set_.bytes(); }

private:
    dedup::ServingSet set_;
    std::vector<Held> held_ = {};
};

Result<> fill_redis(RedisBitmaps& redis, const DedupWork& work) {
    std::vector<PairKey> pairs(static_cast<std::size_t>(work.numbers));
    for (std::uint32_t topic = 0; topic < work.topics; ++topic) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            pairs[i] = work.pair(i * work.topics + topic);
        }
        if (auto loaded = redis.load(topic, pairs); !loaded) {
            return loaded;
        }
    }
    return {};
}

/// CPU seconds of both sides; the server's come from the kernel in steps of 10 ms.
Result<> measure_redis(const std::filesystem::path& folder, const DedupWork& work, const Ours& ours,
                       Report& report) {
    const auto program = RedisBitmaps::installed();
    if (!program) {
        report.notes.emplace_back("Redis was not compared: redis-server is not installed");
        return {};
    }
    auto redis = RedisBitmaps::start(*program, folder);
    if (!redis) {
        return std::unexpected(redis.error());
    }
    if (auto filled = fill_redis(*redis, work); !filled) {
        return filled;
    }
    const auto memory = rig::memory_of(redis->pid());
    const auto before = rig::usage_of(redis->pid());
    const auto begun = std::chrono::steady_clock::now();
    Result<> worked = {};
    const double client_rate =
        bench::event_rate(work, redis_events, [&](std::span<const PairKey> batch) {
            if (const auto fresh = redis->test_and_insert(batch); !fresh) {
                worked = std::unexpected(fresh.error());
            }
        });
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    const auto after = rig::usage_of(redis->pid());
    if (!worked || !memory || !before || !after) {
        return fail(Errc::closed,
                    "redis-server ended, or said something unknown: see redis.log (--keep)");
    }
    constexpr auto events = static_cast<double>(redis_events);
    const double cpu = events / client_rate + (*after - *before).cpu.total();
    add_figures(report, "Redis bitmaps", events / cpu, static_cast<double>(memory->rss), ours);
    report.figures.push_back({.name = "Redis bitmaps: events by the clock, two processes",
                              .value = events / wall,
                              .unit = "/s",
                              .decimals = 0});
    return {};
}

}  // namespace

Result<Report> compare(const DedupWork& work, const std::filesystem::path& folder,
                       const rig::Interrupt& interrupt) {
    Report report{.question = "once per person and place: by which means, how fast, how small?",
                  .conditions = {bench::described(work),
                                 "by the CPU time of one core; of Redis by that of both processes, "
                                 "whose socket and Lua are most of it"}};
    std::uint64_t bytes = 0;
    Ours ours;
    {
        OurSet set(work);
        ours.rate = filled_and_asked(set, work, bytes);
        ours.bytes = static_cast<double>(bytes);
        report.figures.push_back({.name = "filters, in this run: events",
                                  .value = ours.rate,
                                  .unit = "/s",
                                  .decimals = 0});
    }
    const auto measure = [&](const char* name, auto set) {
        const double rate = filled_and_asked(set, work, bytes);
        add_figures(report, name, rate, static_cast<double>(bytes), ours);
    };
    measure("blocked Bloom, 28 bits", BlockedBloom(work.topics, work.numbers));
    measure("open addressing, 64 bits", OpenSet(work.pairs() + work.events));
    if (interrupt.came()) {
        return rig::called_off();
    }
    measure("std::unordered_set", StdSet());
    if (const auto measured = measure_redis(folder, work, ours, report); !measured) {
        return std::unexpected(measured.error());
    }
    return report;
}

}  // namespace smsrack::lab
