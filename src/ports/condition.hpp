/// A fault of the box or its rack: since when, what it stops, and what the operator should do.
///
/// There is one list of these (ports::RackStatus::conditions). `/readyz`, `/healthz`, `/v1/status`, `/v1/attention`, the metrics and
/// `smsrack doctor` all show that list, so none of them has an opinion of its own.
/// Threads: values.
#pragma once

#include "src/base/clock.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::ports {

/// What does not work while a condition lasts.
enum class Stops : std::uint8_t {
    nothing,  ///< everything works
    modem,    ///< one modem sends nothing; the others do its work
    group,    ///< one group of modems sends nothing
    sending,  ///< nothing is sent; what is accepted waits
    all,      ///< nothing is accepted and nothing is sent
};
inline constexpr std::array<std::string_view, 5> stops_names{"nothing", "modem", "group", "sending",
                                                             "all"};

/// How soon a person must act.
enum class Severity : std::uint8_t {
    warning,   ///< the rack works, but not as it should; or a part of it does not
    critical,  ///< nothing is accepted, nothing is sent, or the service itself hangs
};
inline constexpr std::array<std::string_view, 2> severity_names{"warning", "critical"};

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
    overloaded,          ///< a group refuses messages of some levels
    quota_spent,         ///< of a day or a month; a shorter one is only a pace
    modem_port,          ///< its port is missing, held by another program, or not to be opened
    modem_silent,        ///< it does not answer
    modem_sim,           ///< no SIM that can be used
    modem_unregistered,  ///< no network, or the network refuses the SIM
    modem_not_ready,     ///< it does not become ready, for another reason
    modem_cooling,       ///< its SIM was refused several times in a row, and rests
    sim_nearly_full,     ///< the SIM has little room, or none, for messages that come in
    weak_signal,
    push_off,       ///< a modem stores what it receives, although it should pass it on at once
    fast_baud_off,  ///< the port of a modem is at `baud`, although it has a `fast_baud`
    more_modems,    ///< modems with a fault that the list has no room for
    webhook_off,    ///< an operator or its receiver switched it off
    webhook_failing,
    webhook_dead,      ///< events that could not be delivered in time
    webhook_lost,      ///< events that were removed for their age before they were sent
    webhook_unusable,  ///< the gate can't send for it, or does not ask for what to send
    fleet_away,        ///< the engine of the fleet does not answer this box
    fleet_forgot,      ///< the engine has forgotten what it had answered
    fleet_returning,   ///< boxes put back into it what they have
    fleet_one_disk,    ///< the engine has what is accepted on one disk only
    box_silent,        ///< another box of the fleet
    box_power,         ///< another box could not be woken or parked
};
inline constexpr std::array<std::string_view, 38> condition_names{
    "disk_full",          "disk_low",           "disk_failing",    "database_locked",
    "database_set_aside", "clock_not_believed", "configuration",   "late",
    "rack_paused",        "group_paused",       "no_modem",        "modems_drained",
    "no_usable_sim",      "no_modem_can_send",  "overloaded",      "quota_spent",
    "modem_port",         "modem_silent",       "modem_sim",       "modem_unregistered",
    "modem_not_ready",    "modem_cooling",      "sim_nearly_full", "weak_signal",
    "push_off",           "fast_baud_off",      "more_modems",     "webhook_off",
    "webhook_failing",    "webhook_dead",       "webhook_lost",    "webhook_unusable",
    "fleet_away",         "fleet_forgot",       "fleet_returning", "fleet_one_disk",
    "box_silent",         "box_power"};

[[nodiscard]] constexpr std::string_view name_of(ConditionKind kind) {
    return condition_names.at(static_cast<std::size_t>(kind));
}

/// What a condition is about, in two words.
struct ConditionObject {
    std::string_view kind = {};  ///< "disk", "database", "rack", "group", "modem", "thread" ...
    std::string_view name = {};  ///< of the group, modem or thread; empty: there is only one
};

struct Condition {
    ConditionKind kind = ConditionKind::late;
    /// "disk", "database", "clock", "configuration", "rack", "group NAME", "modem NAME"; of `late` the thread
    std::string subject = {};
    std::string text = {};  ///< what was seen
    /// what the operator does, with the command; or when it ends by itself
    std::string advice = {};
    Stops stops = Stops::nothing;
    WallTime since = {};  ///< when it was first seen
    /// It is one only if it lasts longer: most of its kind pass by themselves.
    std::chrono::seconds patience{0};

    [[nodiscard]] std::string_view name() const { return name_of(kind); }
    [[nodiscard]] Severity severity() const {
        return stops >= Stops::sending || kind == ConditionKind::late ? Severity::critical
                                                                      : Severity::warning;
    }
    /// Valid as long as the condition.
    [[nodiscard]] ConditionObject object() const;
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
