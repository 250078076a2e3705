#include "tools/smsrack/doctor_box.hpp"

#include "db/newest.hpp"
#include "db/open_rights.hpp"
#include "drivers/serial/port_holder.hpp"
#include "src/base/time_text.hpp"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <grp.h>
#include <pwd.h>
#include <set>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t mebi = 1024UL * 1024;
constexpr std::uint64_t disk_least = 64 * mebi;  // some 100,000 messages, and the log beside them
constexpr auto clock_tolerance = 2s;             // a row may be a little newer than its reading

Finding program_finding(std::string_view name, std::span<const std::string> running,
                        std::string_view does, std::string_view advice) {
    if (running.empty()) {
        return {.subject = std::string(name), .text = "not running"};
    }
    return {.subject = std::string(name),
            .problem = "other_program",
            .text = fmt::format("{} is running and {}", fmt::join(running, ", "), does),
            .advice = std::string(advice)};
}

std::string user_name(uid_t uid) {
    const passwd* const entry = ::getpwuid(uid);  // NOLINT(concurrency-mt-unsafe): one thread
    return entry != nullptr ? entry->pw_name : fmt::format("user {}", uid);
}

std::string group_name(gid_t gid) {
    const group* const entry = ::getgrgid(gid);  // NOLINT(concurrency-mt-unsafe): one thread
    return entry != nullptr ? entry->gr_name : fmt::format("group {}", gid);
}

}  // namespace

Findings judge_programs(std::span<const std::string> manager, std::span<const std::string> brltty) {
    return {program_finding(
                "ModemManager", manager, "opens every serial port to see whether a modem is there",
                "`systemctl disable --now ModemManager`, or keep it off these ports by a udev rule "
                "with ENV{ID_MM_PORT_IGNORE}=\"1\""),
            program_finding("brltty", brltty, "takes USB serial adapters for braille displays",
                            "`systemctl mask --now brltty`, or remove the package")};
}

Findings look_at_programs() {
    return judge_programs(serial::programs_named("ModemManager"), serial::programs_named("brltty"));
}

Finding judge_disk(std::string_view folder, std::uint64_t free, std::uint64_t whole) {
    Finding finding{
        .subject = "disk",
        .text = fmt::format("{} MiB of {} MiB free in {}", free / mebi, whole / mebi, folder)};
    if (free < disk_least) {
        finding.problem = "disk_full";
        finding.advice = "make room: when the disk is full, no message is accepted";
    }
    return finding;
}

std::optional<Finding> look_at_disk(const std::filesystem::path& folder) {
    struct statvfs about {};
    if (::statvfs(folder.c_str(), &about) != 0) {
        return std::nullopt;
    }
    return judge_disk(folder.string(), about.f_bavail * about.f_frsize,
                      about.f_blocks * about.f_frsize);
}

Finding judge_clock(WallTime now, std::optional<WallTime> newest) {
    Finding finding{.subject = "clock", .text = time_text(now)};
    if (!newest) {
        finding.text += "; the database has no row yet to compare it with";
    } else if (*newest > now + clock_tolerance) {
        finding.problem = "clock_behind";
        finding.text = fmt::format("it is {} here, but the newest row of the database is of {}",
                                   time_text(now), time_text(*newest));
        finding.advice = "set the clock (`timedatectl`); a board without a battery needs NTP";
    }
    return finding;
}

std::optional<Finding> look_at_clock(const std::filesystem::path& database, WallTime now) {
    const auto newest = db::newest_time(database);
    return newest ? std::optional(judge_clock(now, *newest)) : std::nullopt;
}

Finding judge_rights(std::span<const std::string> open) {
    if (open.empty()) {
        return {.subject = "rights", .text = "database and PINs are the service's alone"};
    }
    return {.subject = "rights",
            .problem = "rights_too_open",
            .text = fmt::format("{}", fmt::join(open, "; ")),
            .advice = std::string(db::repair_command)};
}

std::optional<Finding> look_at_rights(const config::Settings& settings) {
    std::vector<std::string> open = db::open_rights(settings.service.state_dir);
    std::set<std::filesystem::path> pins;
    for (const config::ModemSettings& modem : settings.modems) {
        if (modem.pin && !modem.pin->file.empty()) {
            pins.insert(modem.pin->file);
        }
    }
    for (const std::filesystem::path& pin : pins) {
        if (auto right = db::open_right(pin)) {
            open.push_back(*std::move(right));
        }
    }
    std::error_code unknown;
    if (open.empty() && !std::filesystem::exists(settings.service.state_dir, unknown)) {
        return std::nullopt;
    }
    return judge_rights(open);
}

std::string rights_words(const std::string& port) {
    struct stat about {};
    if (::stat(port.c_str(), &about) != 0) {
        return port;
    }
    constexpr mode_t permissions = 07777;
    return fmt::format("{} belongs to {}:{}, mode {:04o}; you are {}", port,
                       user_name(about.st_uid), group_name(about.st_gid),
                       about.st_mode & permissions, user_name(::geteuid()));
}

}  // namespace smsrack::cli
