#include "firmware-host/system/memory_limit.hpp"

#include "src/config/memory_need.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace smsrack::host {
namespace {

/// Of "0::/system.slice/smsrackd.service", the line of version 2.
std::string group_of_this_process(const std::filesystem::path& root) {
    std::ifstream in(root / "proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("0::/")) {
            return line.substr(4);
        }
    }
    return {};
}

/// nullopt: "max", or there is no such file.
std::optional<std::uint64_t> limit_of(const std::filesystem::path& group) {
    std::ifstream in(group / "memory.max");
    std::uint64_t limit = 0;
    return in >> limit ? std::optional(limit) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> memory_limit(const std::filesystem::path& root) {
    const std::filesystem::path top = root / "sys/fs/cgroup";
    std::optional<std::uint64_t> least = limit_of(top);
    std::filesystem::path group = top;
    for (const auto& part : std::filesystem::path(group_of_this_process(root))) {
        group /= part;
        if (const auto limit = limit_of(group)) {
            least = std::min(least.value_or(*limit), *limit);
        }
    }
    return least;
}

void warn_of_memory(const config::Settings& settings) {
    const auto limit = memory_limit();
    const std::uint64_t need = config::memory_need(settings);
    if (limit && *limit < need) {
        fmt::print(stderr,
                   "smsrackd: this configuration may need {} MiB, and the system gives {} MiB "
                   "(MemoryMax=): "
                   "raise the limit, or lower service.memory_mib, service.connections, "
                   "service.readers or dedup.cache_mib\n",
                   need >> 20U, *limit >> 20U);
    }
}

}  // namespace smsrack::host
