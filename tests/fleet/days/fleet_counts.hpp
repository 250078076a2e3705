/// How often each thing happened in the hours of a fleet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::test {

enum class FleetCount : std::uint8_t {
    accepted,
    refused,  ///< its box did not run
    at_network,
    by_others,  ///< sent by another box than the one that accepted it
    sent,
    expired,
    doubtful,  ///< failed by a policy, or still uncertain
    decided,   ///< by another box
    asked,     ///< questions of a box to another one
    answered,  ///< of these
    // -- trouble
    cut,
    cut_requests,
    cut_answers,
    link_stalled,
    stalled,
    primary_changed,
    standby_lost,
    disk_full,
    late_mail,
    date_moved,
    frozen,
    frozen_for_long,
    suspended,
    ordered,
    drained,
    declared_dead,
    restored,
    killed,
    killed_between_steps,
    killed_before_commit,
    away_for_long,
    gone,
    lost_before_commit,
    lost_after_commit,
    slow_answers,
    serialization,
    refused_by_disk,
    warned,
    taken_back,
    visible_late,
    cut_off,
};
inline constexpr std::array<std::string_view, 41> fleet_count_names{
    "accepted",
    "refused",
    "at the network",
    "sent by other boxes",
    "sent",
    "expired",
    "in doubt",
    "decided by other boxes",
    "questions to other boxes",
    "questions answered",
    "cuts of links",
    "cuts of requests",
    "cuts of answers",
    "links stalled",
    "engine stalled",
    "changes of primary",
    "standby lost",
    "disk full",
    "mail held back",
    "dates moved by a day",
    "boxes frozen",
    "boxes frozen for long",
    "boxes suspended",
    "opt-outs ordered",
    "boxes drained",
    "declared dead",
    "restored from a backup",
    "boxes killed",
    "killed between two steps",
    "killed before a commit",
    "away longer than alone_s",
    "gone for good",
    "lost before the commit",
    "lost after the commit",
    "slow answers",
    "serialization failures",
    "refused by a full disk",
    "commits with a warning",
    "lost after a warning",
    "visible late",
    "requests, answers cut off",
};
inline constexpr std::size_t first_fleet_trouble = static_cast<std::size_t>(FleetCount::cut);
static_assert(static_cast<std::size_t>(FleetCount::cut_off) + 1 == fleet_count_names.size());

struct FleetTotals {
    std::array<std::uint64_t, fleet_count_names.size()> counts = {};

    [[nodiscard]] std::uint64_t& operator[](FleetCount what) {
        return counts.at(static_cast<std::size_t>(what));
    }
    void add(const FleetTotals& other) {
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts.at(i) += other.counts.at(i);
        }
    }
};

}  // namespace smsrack::test
