#include "src/config/memory_need.hpp"

namespace smsrack::config {
namespace {

constexpr std::uint64_t mib = 1ULL << 20;

// Measured: 7 MiB with 8 modems, 37 with 256 and a million messages (docs/benchmarks.md); the rest is caches of the database.
constexpr std::uint64_t base = 43 * mib;
constexpr std::uint64_t each_modem = mib / 8;

// Of a thread of the pools: its stack and its part of the heap; a reader has a connection with its cache of pages too.
constexpr std::uint64_t each_reader = mib;
constexpr std::uint64_t each_codec_thread = mib / 2;

// Its window of deliveries (src/webhook), read, kept and answered.
constexpr std::uint64_t each_webhook = mib / 2;

// Of what sessions hold, as much again: buffers that grow, and a heap with gaps. Measured by `smsrack-bench attack`.
constexpr std::uint64_t slack = 3;

// What the kernel keeps for a socket whose client does not read: net.core.wmem_default and its overhead.
constexpr std::uint64_t each_connection = 256 * 1024;

}  // namespace

std::uint64_t memory_need(const Settings& settings) {
    const auto of = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    const std::uint64_t cache = settings.triggers.empty() ? 0 : of(settings.dedup.cache_mib) * mib;
    return base + settings.modems.size() * each_modem +
           slack * of(settings.service.memory_mib) * mib +
           of(settings.service.connections) * each_connection +
           of(settings.service.readers) * each_reader +
           of(settings.service.codec_threads) * each_codec_thread +
           settings.webhooks.size() * each_webhook + cache;
}

}  // namespace smsrack::config
