#include "drivers/gsm/set_up/sim_unlock.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace smsrack::gsm {

TEST_CASE("judge_sim: what the answer to AT+CPIN? says of the SIM") {
    using at::FinalKind;
    struct Case {
        std::optional<std::string> pin_state;
        at::FinalResult result;
        SimState state;
        const char* reason;
    };
    for (const Case& c : {
             Case{"READY", {FinalKind::ok}, SimState::ready, ""},
             Case{"SIM PIN", {FinalKind::ok}, SimState::locked, ""},
             Case{"SIM PUK", {FinalKind::ok}, SimState::unusable, "sim_puk"},
             Case{"PH-SIM PIN", {FinalKind::ok}, SimState::unusable, "sim_puk"},
             Case{"", {FinalKind::ok}, SimState::unusable, "sim_puk"},
             Case{{}, {FinalKind::ok}, SimState::starting, ""},
             Case{{}, {FinalKind::error}, SimState::starting, ""},
             Case{"READY", {FinalKind::error}, SimState::starting, ""},
             Case{{}, {FinalKind::cme_error, 10}, SimState::unusable, "sim_absent"},
             Case{{}, {FinalKind::cms_error, 310}, SimState::unusable, "sim_absent"},
             Case{{}, {FinalKind::cme_error, 13}, SimState::unusable, "sim_failure"},
             Case{{}, {FinalKind::cms_error, 313}, SimState::unusable, "sim_failure"},
             Case{{}, {FinalKind::cme_error, 15}, SimState::unusable, "sim_failure"},
             Case{{}, {FinalKind::cms_error, 315}, SimState::unusable, "sim_failure"},
             Case{{}, {FinalKind::cme_error, 14}, SimState::starting, ""},
         }) {
        CAPTURE(c.pin_state.value_or("no line"));
        CAPTURE(at::to_text(c.result));
        const SimVerdict sim = judge_sim(c.result, c.pin_state);
        CHECK(sim.state == c.state);
        CHECK(sim.reason == c.reason);
        CHECK(sim.detail.empty() == (c.state != SimState::unusable));
    }
}

}  // namespace smsrack::gsm
