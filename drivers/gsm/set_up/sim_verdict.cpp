#include "drivers/gsm/set_up/sim_verdict.hpp"

#include <algorithm>
#include <array>

namespace smsrack::gsm {
namespace {

/// What AT+CPIN? says of a SIM that can't be used. Everything else passes with time.
struct SimFault {
    at::FinalResult result;
    std::string_view reason;
    std::string_view detail;
};
constexpr std::string_view absent = "no SIM in the modem; insert one";
constexpr std::string_view broken = "the SIM does not work; clean or replace it";
constexpr std::string_view wrong = "the modem refuses this SIM; replace it";
constexpr std::array sim_faults{
    SimFault{{at::FinalKind::cme_error, 10}, "sim_absent", absent},
    SimFault{{at::FinalKind::cme_error, 13}, "sim_failure", broken},
    SimFault{{at::FinalKind::cme_error, 15}, "sim_failure", wrong},
    SimFault{{at::FinalKind::cms_error, 310}, "sim_absent", absent},
    SimFault{{at::FinalKind::cms_error, 313}, "sim_failure", broken},
    SimFault{{at::FinalKind::cms_error, 315}, "sim_failure", wrong},
};

}  // namespace

SimVerdict judge_sim(at::FinalResult result, const std::optional<std::string>& pin_state) {
    if (const auto* const fault = std::ranges::find(sim_faults, result, &SimFault::result);
        fault != sim_faults.end()) {
        return {SimState::unusable, fault->reason, std::string(fault->detail)};
    }
    if (result.kind != at::FinalKind::ok || !pin_state) {
        return {};
    }
    if (pin_state == "READY") {
        return {.state = SimState::ready};
    }
    if (pin_state == "SIM PIN") {
        return {.state = SimState::locked};
    }
    return {SimState::unusable, "sim_puk",
            "the SIM is locked (" + *pin_state + "); unlock it by hand"};
}

}  // namespace smsrack::gsm
