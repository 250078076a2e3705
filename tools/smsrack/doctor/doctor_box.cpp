#include "tools/smsrack/doctor/doctor_box.hpp"

#include "db/engine/disk_room.hpp"
#include "db/engine/open_rights.hpp"
#include "db/read/newest.hpp"
#include "drivers/serial/port_holder.hpp"
#include "src/base/time_text.hpp"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto clock_tolerance = 2s;  // a row may be a little newer than its reading

Finding program_finding(std::string_view name, std::span<const std::string> running,
                        std::string_view does, std::string_view advice) {
    if (running.empty()) {
        return well(std::string(name), "not running");
    }
    return bad(std::string(name), "other_program",
               fmt::format("{} is running and {}", fmt::join(running, ", "), does),
               std::string(advice));
}

}  // namespace

Findings judge_programs(std::span<const std::string> manager, std::span<const std::string> brltty) {
    return {program_finding("ModemManager", manager,
                            "opens every serial port to see whether a modem is there",
                            "`sudo systemctl disable --now ModemManager`, or keep it off these "
                            "ports by a udev rule "
                            "with ENV{ID_MM_PORT_IGNORE}=\"1\""),
            program_finding("brltty", brltty, "takes USB serial adapters for braille displays",
                            "`sudo systemctl mask --now brltty`, or `sudo apt remove brltty`")};
}

Findings look_at_programs() {
    return judge_programs(serial::programs_named("ModemManager"), serial::programs_named("brltty"));
}

Finding judge_disk(std::string_view folder, const ports::DiskRoom& room) {
    const auto condition = ports::judge_disk(room, folder);
    if (!condition) {
        return well("disk", ports::room_text(room, folder));
    }
    return bad(condition->subject, std::string(condition->name()), condition->text,
               condition->advice);
}

std::optional<Finding> look_at_disk(const std::filesystem::path& folder) {
    const auto room = db::disk_room(folder);
    return room ? std::optional(judge_disk(folder.string(), *room)) : std::nullopt;
}

Finding judge_clock(WallTime now, std::optional<WallTime> newest) {
    if (newest && *newest > now + clock_tolerance) {
        return bad("clock", "clock_behind",
                   fmt::format("it is {} here, but the newest row of the database is of {}",
                               time_text(now), time_text(*newest)),
                   "set the clock: `sudo timedatectl set-ntp true`, or `sudo timedatectl set-time "
                   "TIME`; a board without a battery needs NTP");
    }
    return well("clock", time_text(now) +
                             (newest ? "" : "; the database has no row yet to compare it with"));
}

std::optional<Finding> look_at_clock(const std::filesystem::path& database, WallTime now) {
    const auto newest = db::newest_time(database);
    return newest ? std::optional(judge_clock(now, *newest)) : std::nullopt;
}

Finding judge_rights(std::span<const std::string> open) {
    if (open.empty()) {
        return well("rights", "database and PINs are the service's alone");
    }
    return bad("rights", "rights_too_open", fmt::format("{}", fmt::join(open, "; ")),
               std::string(db::repair_command));
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

}  // namespace smsrack::cli
