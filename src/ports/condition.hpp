/// A fault of the box or its rack: since when, what it stops, and what the operator should do.
///
/// There is one list of these (ports::RackStatus::conditions). `/readyz`, `/healthz`, `/v1/status`, the metrics and `smsrack doctor`
/// all show that list, so none of them has an opinion of its own.
/// Threads: values.
#pragma once

#include "src/base/clock.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::ports {

/// What does not work while a condition lasts.
enum class Stops : std::uint8_t {
    nothing,  ///< everything works
    group,    ///< one group of modems sends nothing
    sending,  ///< nothing is sent; what is accepted waits
    all,      ///< nothing is accepted and nothing is sent
};
inline constexpr std::array<std::string_view, 4> stops_names{"nothing", "group", "sending", "all"};

/// The kinds, for programs: names are part of the API and never change.
enum class ConditionKind : std::uint8_t {
    disk_full,
    disk_low,
    disk_failing,
    database_locked,
    database_set_aside,
    clock_not_believed,
    configuration,  ///< the service runs, but not quite as its configuration says
    late,           ///< a thread or a message waits longer than it may
    rack_paused,
    group_paused,
    no_modem,  ///< none is configured
    modems_drained,
    no_usable_sim,
    no_modem_can_send,
};
inline constexpr std::array<std::string_view, 14> condition_names{
    "disk_full",          "disk_low",           "disk_failing",  "database_locked",
    "database_set_aside", "clock_not_believed", "configuration", "late",
    "rack_paused",        "group_paused",       "no_modem",      "modems_drained",
    "no_usable_sim",      "no_modem_can_send"};

struct Condition {
    ConditionKind kind = ConditionKind::late;
    std::string subject = {};  ///< "disk", "database", "clock", "service", "rack", "group NAME"
    std::string text = {};     ///< what was seen
    /// what the operator does, with the command; or when it ends by itself
    std::string advice = {};
    Stops stops = Stops::nothing;
    WallTime since = {};  ///< when it was first seen

    [[nodiscard]] std::string_view name() const {
        return condition_names.at(static_cast<std::size_t>(kind));
    }
};

/// Space where the database is.
///
/// Unit:    octets.
struct DiskRoom {
    std::uint64_t free = 0;  ///< for the account that asks
    std::uint64_t whole = 0;
};

/// "12 MiB of 457 MiB free in /var/lib/smsrack".
[[nodiscard]] std::string room_text(const DiskRoom& room, std::string_view folder);

/// disk_full, disk_low, or nullopt: there is room.
[[nodiscard]] std::optional<Condition> judge_disk(const DiskRoom& room, std::string_view folder);

/// A disk with less room than this takes no message: one commit with its pages of the log.
inline constexpr std::uint64_t disk_full_below = 128UL * 1024;
/// Less room is a warning: some 100,000 messages with their log. On a small disk, a twentieth of it.
inline constexpr std::uint64_t disk_low_below = 64UL * 1024 * 1024;
inline constexpr std::uint64_t disk_low_share = 20;

}  // namespace smsrack::ports
