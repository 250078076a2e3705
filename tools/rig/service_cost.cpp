#include "tools/rig/service_cost.hpp"

#include "tools/client/http_client.hpp"
#include "tools/rig/usage.hpp"

#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <numeric>
#include <system_error>

namespace smsrack::rig {
namespace {

std::string read_all(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Result<std::int64_t> number_at(std::string_view text, std::string_view what) {
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() ? Result<std::int64_t>(number)
                                : fail(Errc::protocol, std::string(what));
}

}  // namespace

Result<std::int64_t> read_written(std::string_view io) {
    constexpr std::string_view key = "\nwrite_bytes: ";  // not cancelled_write_bytes
    const auto at = io.find(key);
    return at == std::string_view::npos ? fail(Errc::protocol, "/proc io")
                                        : number_at(io.substr(at + key.size()), "/proc io");
}

Result<std::int64_t> read_sample(std::string_view metrics, std::string_view name) {
    const std::string key = fmt::format("\n{} ", name);
    const auto at = metrics.find(key);
    return at == std::string_view::npos ? fail(Errc::protocol, fmt::format("/metrics: {}", name))
                                        : number_at(metrics.substr(at + key.size()), name);
}

std::int64_t ProcessCost::all_cpu_ns() const {
    return std::accumulate(
        cpu_ns.begin(), cpu_ns.end(), std::int64_t{0},
        [](std::int64_t sum, const auto& thread) { return sum + thread.second; });
}

Result<ProcessCost> process_cost(pid_t process) {
    const std::filesystem::path folder = fmt::format("/proc/{}", process);
    const auto written = read_written(read_all(folder / "io"));
    if (!written) {
        return fail(Errc::no_device, folder.string());
    }
    ProcessCost cost{.written = *written};
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator(folder / "task", error)) {
        // A thread may end while we look.
        const auto stat = read_stat(read_all(task.path() / "stat"), 1);
        const auto ran = number_at(read_all(task.path() / "schedstat"), "/proc schedstat");
        if (stat && ran) {
            cost.cpu_ns[without_number(stat->name)] += *ran;
        }
    }
    return cost.cpu_ns.empty() ? fail(Errc::protocol, "/proc schedstat")
                               : Result<ProcessCost>(std::move(cost));
}

Result<DiskCounts> disk_counts(const std::filesystem::path& socket) {
    client::HttpClient client(socket.string(), {});
    const auto reply = client.call({.target = "/metrics"});
    if (!reply || !reply->ok()) {
        return reply ? fail(Errc::protocol, "/metrics") : std::unexpected(reply.error());
    }
    const auto syncs = read_sample(reply->body, "smsrack_db_syncs_total");
    const auto commits = read_sample(reply->body, "smsrack_db_transactions_total");
    const auto log = read_sample(reply->body, R"(smsrack_db_written_pages_total{file="log"})");
    const auto file =
        read_sample(reply->body, R"(smsrack_db_written_pages_total{file="database"})");
    for (const auto* count : {&syncs, &commits, &log, &file}) {
        if (!*count) {
            return std::unexpected(count->error());
        }
    }
    return DiskCounts{.syncs = *syncs, .commits = *commits, .log_pages = *log, .file_pages = *file};
}

void add(ServiceCost& sum, const ProcessCost& from, const ProcessCost& to) {
    sum.process.written += to.written - from.written;
    for (const auto& [name, ran] : to.cpu_ns) {
        sum.process.cpu_ns[name] += ran;
    }
    for (const auto& [name, ran] : from.cpu_ns) {
        sum.process.cpu_ns[name] -= ran;
    }
}

void add(ServiceCost& sum, const DiskCounts& from, const DiskCounts& to) {
    sum.disk.syncs += to.syncs - from.syncs;
    sum.disk.commits += to.commits - from.commits;
    sum.disk.log_pages += to.log_pages - from.log_pages;
    sum.disk.file_pages += to.file_pages - from.file_pages;
}

void add(ServiceCost& sum, const ServiceCost& other) {
    add(sum, ProcessCost{}, other.process);
    add(sum, DiskCounts{}, other.disk);
}

}  // namespace smsrack::rig
