#include "tools/rig/usage.hpp"

#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace smsrack::rig {
namespace {

std::string read_all(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The next word of `text`, which loses it.
std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

std::optional<std::uint64_t> number_of(std::string_view word) {
    std::uint64_t number = 0;
    const auto end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, number);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

double ticks_per_second() {
    return static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// "Pss:    1234 kB" -> octets.
std::optional<std::uint64_t> kilobytes_of(std::string_view text, std::string_view key) {
    const auto at = text.find(key);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view rest = text.substr(at + key.size());
    const auto number = number_of(take_word(rest));
    return number ? std::optional(*number * 1024) : std::nullopt;
}

}  // namespace

std::string without_number(std::string name) {
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') {
        name.pop_back();
    }
    return name;
}

Usage operator-(const Usage& later, const Usage& earlier) {
    Usage difference{.cpu = later.cpu - earlier.cpu, .threads = later.threads};
    for (const auto& [name, seconds] : earlier.threads) {
        difference.threads[name] -= seconds;
    }
    return difference;
}

Result<StatLine> read_stat(std::string_view line, double ticks) {
    // The name may hold anything, also brackets and blanks.
    const auto open = line.find('(');
    const auto close = line.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        return fail(Errc::protocol, "/proc stat");
    }
    StatLine stat{.name = std::string(line.substr(open + 1, close - open - 1))};
    std::string_view rest = line.substr(close + 1);
    constexpr int words_between = 11;  // state .. cmajflt; then utime and stime
    for (int i = 0; i < words_between; ++i) {
        (void)take_word(rest);
    }
    const auto user = number_of(take_word(rest));
    const auto system = number_of(take_word(rest));
    if (!user || !system) {
        return fail(Errc::protocol, "/proc stat");
    }
    stat.cpu = {.user = static_cast<double>(*user) / ticks,
                .system = static_cast<double>(*system) / ticks};
    return stat;
}

Result<Usage> usage_of(pid_t process) {
    const std::filesystem::path folder = fmt::format("/proc/{}", process);
    const auto whole = read_stat(read_all(folder / "stat"), ticks_per_second());
    if (!whole) {
        return fail(Errc::no_device, folder.string());
    }
    Usage usage{.cpu = whole->cpu};
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator(folder / "task", error)) {
        // A thread may end while we look.
        if (const auto thread = read_stat(read_all(task.path() / "stat"), ticks_per_second())) {
            usage.threads[without_number(thread->name)] += thread->cpu.total();
        }
    }
    return usage;
}

double own_cpu_seconds() {
    rusage usage{};
    (void)getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Result<Memory> read_rollup(std::string_view text) {
    const auto pss = kilobytes_of(text, "\nPss:");
    const auto rss = kilobytes_of(text, "\nRss:");
    const auto dirty = kilobytes_of(text, "\nPrivate_Dirty:");
    if (!pss || !rss || !dirty) {
        return fail(Errc::protocol, "/proc smaps_rollup");
    }
    return Memory{.pss = *pss, .rss = *rss, .dirty = *dirty};
}

Result<Memory> memory_of(pid_t process) {
    return read_rollup(read_all(fmt::format("/proc/{}/smaps_rollup", process)));
}

Result<std::uint64_t> peak_memory_of(pid_t process) {
    const auto peak = kilobytes_of(read_all(fmt::format("/proc/{}/status", process)), "\nVmHWM:\t");
    return peak ? Result<std::uint64_t>(*peak) : fail(Errc::protocol, "/proc status: VmHWM");
}

}  // namespace smsrack::rig
