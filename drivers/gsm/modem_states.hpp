/// The life of a modem as its driver sees it. A pair that is not in the table changes nothing; it
/// is logged.
#pragma once

#include "src/base/state_table.hpp"
#include "src/ports/line_life.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <utility>

namespace smsrack::gsm {

enum class ModemState : std::uint8_t {
    closed,       ///< open() was not called yet
    opening,      ///< the port is not open: the next try comes by itself
    absent,       ///< the same, and there is no such device
    evidence,     ///< reading what an earlier process left (OpenMode::attempt_open)
    probing,      ///< AT
    identifying,  ///< the init script
    sim_wait,     ///< no SIM, or one that wants a PIN
    registering,  ///< set up; the network has not taken it yet
    ready,
    draining,  ///< out of step: ESC, silence, AT
    failed,    ///< the ladder of recovery is at its end: tried again, seldom
    dozing,    ///< AT+CFUN=0 is in flight
    asleep,    ///< its radio is off
};

enum class Trigger : std::uint8_t {
    open_called,
    port_missing,  ///< tried: there is no such device
    port_refused,  ///< tried: it is there, but it can't be had
    port_opened,
    port_opened_in_doubt,  ///< with an attempt of an earlier process open
    port_lost,
    evidence_done,
    answered,  ///< the probe
    sim_missing,
    sim_changed,  ///< another one is there
    sim_found,
    set_up,  ///< the init script is done
    registered,
    registration_lost,
    not_searching,  ///< for minutes it has not looked for a network: its radio may be off
    no_answer,      ///< or one that is not to the command in flight
    rebooted,
    drained,
    gave_up,         ///< draining did not help: up the ladder of recovery
    out_of_service,  ///< nor did what is on the ladder
    sleep_wanted,    ///< and nothing is in flight
    slept,           ///< AT+CFUN=0 was taken
    sleep_refused,
    woken,        ///< the radio is wanted again
    set_by_hand,  ///< a person's command may have changed what the line relies on
};

inline constexpr std::array modem_rules{
    Rule{ModemState::closed, Trigger::open_called, ModemState::opening},
    Rule{ModemState::opening, Trigger::port_opened, ModemState::probing},
    Rule{ModemState::opening, Trigger::port_opened_in_doubt, ModemState::evidence},
    Rule{ModemState::opening, Trigger::port_missing, ModemState::absent},
    Rule{ModemState::opening, Trigger::port_refused, ModemState::opening},
    Rule{ModemState::absent, Trigger::port_opened, ModemState::probing},
    Rule{ModemState::absent, Trigger::port_opened_in_doubt, ModemState::evidence},
    Rule{ModemState::absent, Trigger::port_missing, ModemState::absent},
    Rule{ModemState::absent, Trigger::port_refused, ModemState::opening},
    Rule{ModemState::evidence, Trigger::evidence_done, ModemState::probing},
    Rule{ModemState::evidence, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::evidence, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::probing, Trigger::answered, ModemState::identifying},
    Rule{ModemState::probing, Trigger::no_answer, ModemState::draining},
    Rule{ModemState::probing, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::probing, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::identifying, Trigger::sim_missing, ModemState::sim_wait},
    Rule{ModemState::identifying, Trigger::sim_changed, ModemState::probing},
    Rule{ModemState::identifying, Trigger::set_up, ModemState::registering},
    Rule{ModemState::identifying, Trigger::no_answer, ModemState::draining},
    Rule{ModemState::identifying, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::identifying, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::sim_wait, Trigger::sim_missing, ModemState::sim_wait},
    Rule{ModemState::sim_wait, Trigger::sim_changed, ModemState::probing},
    Rule{ModemState::sim_wait, Trigger::sim_found, ModemState::identifying},
    Rule{ModemState::sim_wait, Trigger::no_answer, ModemState::draining},
    Rule{ModemState::sim_wait, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::sim_wait, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::sim_wait, Trigger::set_by_hand, ModemState::probing},
    Rule{ModemState::registering, Trigger::registered, ModemState::ready},
    Rule{ModemState::registering, Trigger::sim_missing, ModemState::probing},
    Rule{ModemState::registering, Trigger::sim_changed, ModemState::probing},
    Rule{ModemState::registering, Trigger::no_answer, ModemState::draining},
    Rule{ModemState::registering, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::registering, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::registering, Trigger::set_by_hand, ModemState::probing},
    Rule{ModemState::registering, Trigger::not_searching, ModemState::probing},
    Rule{ModemState::ready, Trigger::registration_lost, ModemState::registering},
    Rule{ModemState::ready, Trigger::sim_missing, ModemState::probing},
    Rule{ModemState::ready, Trigger::sim_changed, ModemState::probing},
    Rule{ModemState::ready, Trigger::no_answer, ModemState::draining},
    Rule{ModemState::ready, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::ready, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::ready, Trigger::set_by_hand, ModemState::probing},
    Rule{ModemState::draining, Trigger::drained, ModemState::probing},
    Rule{ModemState::draining, Trigger::gave_up, ModemState::opening},
    Rule{ModemState::draining, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::draining, Trigger::out_of_service, ModemState::failed},
    Rule{ModemState::draining, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::failed, Trigger::answered, ModemState::identifying},
    Rule{ModemState::failed, Trigger::no_answer, ModemState::failed},
    Rule{ModemState::failed, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::failed, Trigger::port_opened, ModemState::failed},
    Rule{ModemState::failed, Trigger::port_refused, ModemState::failed},
    Rule{ModemState::failed, Trigger::port_missing, ModemState::absent},
    Rule{ModemState::failed, Trigger::port_lost, ModemState::failed},
    Rule{ModemState::ready, Trigger::sleep_wanted, ModemState::dozing},
    Rule{ModemState::dozing, Trigger::slept, ModemState::asleep},
    Rule{ModemState::dozing, Trigger::sleep_refused, ModemState::probing},
    Rule{ModemState::dozing, Trigger::no_answer, ModemState::draining},
    Rule{ModemState::dozing, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::dozing, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::asleep, Trigger::woken, ModemState::probing},
    Rule{ModemState::asleep, Trigger::no_answer, ModemState::draining},
    Rule{ModemState::asleep, Trigger::rebooted, ModemState::probing},
    Rule{ModemState::asleep, Trigger::port_lost, ModemState::opening},
    Rule{ModemState::asleep, Trigger::set_by_hand, ModemState::probing},
};

/// How a state is shown, and what it is in the words of a line.
struct StateWords {
    ModemState state;
    std::string_view name;
    ports::LineLife life;
};

inline constexpr std::array state_words{
    StateWords{ModemState::closed, "closed", ports::LineLife::opening},
    StateWords{ModemState::opening, "opening", ports::LineLife::opening},
    StateWords{ModemState::absent, "absent", ports::LineLife::absent},
    StateWords{ModemState::evidence, "evidence", ports::LineLife::identifying},
    StateWords{ModemState::probing, "probing", ports::LineLife::identifying},
    StateWords{ModemState::identifying, "identifying", ports::LineLife::identifying},
    StateWords{ModemState::sim_wait, "sim_wait", ports::LineLife::sim_wait},
    StateWords{ModemState::registering, "registering", ports::LineLife::registering},
    StateWords{ModemState::ready, "ready", ports::LineLife::ready},
    StateWords{ModemState::draining, "draining", ports::LineLife::draining},
    StateWords{ModemState::failed, "failed", ports::LineLife::failed},
    StateWords{ModemState::dozing, "dozing", ports::LineLife::asleep},
    StateWords{ModemState::asleep, "asleep", ports::LineLife::asleep},
};
// In the order of ModemState, and a row for each state of the rules.
static_assert(std::ranges::equal(state_words, std::views::iota(0, int{state_words.size()}), {},
                                 [](const StateWords& row) {
                                     return std::to_underlying(row.state);
                                 }));
static_assert(std::ranges::all_of(modem_rules, [](const auto& rule) {
    return std::to_underlying(std::max(rule.from, rule.to)) < state_words.size();
}));

[[nodiscard]] inline std::string_view state_name(ModemState state) {
    return state_words.at(std::to_underlying(state)).name;
}
[[nodiscard]] inline ports::LineLife life_of(ModemState state) {
    return state_words.at(std::to_underlying(state)).life;
}

/// Where a modem is in its life, and what its line wants of it; each may be wanted without the others.
struct ModemStatus {
    ModemState state = ModemState::closed;
    bool held = false;       ///< nothing new is begun
    bool radio_off = false;  ///< when there is nothing to do

    [[nodiscard]] bool is_in_service() const {
        return state == ModemState::registering || state == ModemState::ready;
    }
};

}  // namespace smsrack::gsm
