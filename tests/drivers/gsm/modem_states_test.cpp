#include "drivers/gsm/modem_states.hpp"

#include "drivers/gsm/recovery.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace smsrack::gsm;

namespace {

std::vector<ModemState> all_states() {
    std::vector<ModemState> states;
    for (auto i = 0; i <= std::to_underlying(ModemState::asleep); ++i) {
        states.push_back(static_cast<ModemState>(i));
    }
    return states;
}

std::vector<Trigger> all_triggers() {
    std::vector<Trigger> triggers;
    for (const auto& rule : modem_rules) {
        if (std::ranges::find(triggers, rule.on) == triggers.end()) {
            triggers.push_back(rule.on);
        }
    }
    return triggers;
}

}  // namespace

TEST_CASE("modem states: each pair is in the table once, or not at all") {
    for (const ModemState state : all_states()) {
        for (const Trigger trigger : all_triggers()) {
            CAPTURE(std::string(state_name(state)));
            CAPTURE(std::to_underlying(trigger));
            const auto rows = std::ranges::count_if(modem_rules, [&](const auto& rule) {
                return rule.from == state && rule.on == trigger;
            });
            CHECK(rows <= 1);
            CHECK(next(modem_rules, state, trigger).has_value() == (rows == 1));
        }
    }
}

TEST_CASE("modem states: from each the line can become ready, and each can be reached") {
    for (const ModemState from : all_states()) {
        CAPTURE(std::string(state_name(from)));
        std::vector<ModemState> reached{from};
        for (std::size_t i = 0; i < reached.size(); ++i) {
            for (const auto& rule : modem_rules) {
                if (rule.from == reached[i] &&
                    std::ranges::find(reached, rule.to) == reached.end()) {
                    reached.push_back(rule.to);
                }
            }
        }
        CHECK(std::ranges::find(reached, ModemState::ready) != reached.end());
        CHECK((from == ModemState::closed || std::ranges::any_of(modem_rules, [&](const auto& row) {
                   return row.to == from && row.from != from;
               })));
    }
}

TEST_CASE("modem states: only a modem that is set up and looks for its network can find it") {
    for (const ModemState state : all_states()) {
        CAPTURE(std::string(state_name(state)));
        CHECK(next(modem_rules, state, Trigger::registered).has_value() ==
              (state == ModemState::registering));
    }
}

TEST_CASE("modem states: a port that is lost is never taken for one that is there") {
    for (const ModemState state : all_states()) {
        CAPTURE(std::string(state_name(state)));
        const auto to = next(modem_rules, state, Trigger::port_lost);
        if (to) {
            CHECK((*to == ModemState::opening || *to == ModemState::failed));
        } else {  // there is none to lose
            CHECK((life_of(state) == ports::LineLife::opening ||
                   life_of(state) == ports::LineLife::absent));
        }
    }
}

TEST_CASE("modem states: every word of a line's life but cooling is some state's") {
    for (std::size_t i = 0; i < ports::line_life_names.size(); ++i) {
        CAPTURE(std::string(ports::line_life_names.at(i)));
        const bool is_some = std::ranges::any_of(all_states(), [&](ModemState state) {
            return std::to_underlying(life_of(state)) == i;
        });
        CHECK(is_some == (static_cast<ports::LineLife>(i) != ports::LineLife::cooling));
    }
}

TEST_CASE("recovery: the ladder is climbed once, then tried again without end") {
    Recovery recovery;
    std::vector<Remedy> climbed;
    while (true) {
        const Rung rung = recovery.climb();
        if (rung.out_of_service) {
            break;
        }
        climbed.push_back(rung.remedy);
    }
    CHECK(climbed == std::vector{Remedy::reopen, Remedy::reopen, Remedy::reset, Remedy::power});
    for (int i = 0; i < 1'000; ++i) {
        const Rung rung = recovery.climb();
        CHECK(rung.out_of_service);
        CHECK(rung.pause >= std::chrono::seconds(30));
        CHECK(rung.pause <= std::chrono::minutes(2));
    }
    recovery.reset();
    CHECK_FALSE(recovery.climb().out_of_service);
}
