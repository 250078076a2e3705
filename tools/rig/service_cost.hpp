/// What a running service has cost the machine so far: processor time by thread, octets written,
/// syncs and pages.
///
/// Unit:    nanoseconds of the scheduler (/proc/PID/task/N/schedstat); octets that the kernel counts
///          as written (write_bytes of /proc/PID/io: pages of the page cache that became dirty, so a
///          page that is written once before its sync counts once); the rest is the service's own
///          count (/metrics).
/// Errors:  no_device: no such process; protocol: /proc or /metrics says something unknown; those of
///          HttpClient.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace smsrack::rig {

/// What the kernel knows of a process; to ask costs that process nothing.
struct ProcessCost {
    std::int64_t written = 0;                         ///< octets
    std::map<std::string, std::int64_t> cpu_ns = {};  ///< by thread, as ThreadSeconds

    [[nodiscard]] std::int64_t all_cpu_ns() const;
};
[[nodiscard]] Result<ProcessCost> process_cost(pid_t process);

/// What the service counts itself; to ask costs it some processor time.
struct DiskCounts {
    std::int64_t syncs = 0;
    std::int64_t commits = 0;
    std::int64_t log_pages = 0;
    std::int64_t file_pages = 0;
};
[[nodiscard]] Result<DiskCounts> disk_counts(const std::filesystem::path& socket);

struct ServiceCost {
    ProcessCost process = {};
    DiskCounts disk = {};
};

/// Adds what happened between two looks.
void add(ServiceCost& sum, const ProcessCost& from, const ProcessCost& to);
void add(ServiceCost& sum, const DiskCounts& from, const DiskCounts& to);
void add(ServiceCost& sum, const ServiceCost& other);

/// write_bytes of the text of /proc/PID/io.
[[nodiscard]] Result<std::int64_t> read_written(std::string_view io);
/// The sample of this name, labels included, of a text in the Prometheus format.
[[nodiscard]] Result<std::int64_t> read_sample(std::string_view metrics, std::string_view name);

}  // namespace smsrack::rig
