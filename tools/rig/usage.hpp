/// What a process uses: CPU time, also by thread, and memory. Read from /proc.
///
/// Unit:    seconds (in steps of the kernel's clock tick, 10 ms); octets.
/// Errors:  no_device: no such process; protocol: /proc says something unknown.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace smsrack::rig {

struct CpuSeconds {
    double user = 0;
    double system = 0;
    [[nodiscard]] double total() const { return user + system; }
    friend CpuSeconds operator-(CpuSeconds a, CpuSeconds b) {
        return {.user = a.user - b.user, .system = a.system - b.system};
    }
};

/// Seconds by thread name, numbers at its end left out: "line-m" is all of line-m0, line-m1 ...
using ThreadSeconds = std::map<std::string, double>;
/// The name of a thread as it is in there.
[[nodiscard]] std::string without_number(std::string name);

struct Usage {
    CpuSeconds cpu = {};
    ThreadSeconds threads = {};
    friend Usage operator-(const Usage& later, const Usage& earlier);
};

[[nodiscard]] Result<Usage> usage_of(pid_t process);
/// User and system time of this process so far.
[[nodiscard]] double own_cpu_seconds();

struct Memory {
    std::uint64_t pss = 0;  ///< shared pages count in parts
    std::uint64_t rss = 0;
    std::uint64_t dirty = 0;  ///< written, and of this process alone
};
[[nodiscard]] Result<Memory> memory_of(pid_t process);
/// The most that it has had resident so far, octets.
[[nodiscard]] Result<std::uint64_t> peak_memory_of(pid_t process);

/// Of a line of /proc/PID/stat; `ticks` per second.
struct StatLine {
    std::string name = {};
    CpuSeconds cpu = {};
};
[[nodiscard]] Result<StatLine> read_stat(std::string_view line, double ticks);
/// Of /proc/PID/smaps_rollup.
[[nodiscard]] Result<Memory> read_rollup(std::string_view text);

}  // namespace smsrack::rig
