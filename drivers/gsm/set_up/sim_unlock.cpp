#include "drivers/gsm/set_up/sim_unlock.hpp"

#include "src/ports/pin.hpp"

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

void SimUnlock::begin() {
    pin_.begin();
    waited_ = false;
}

bool SimUnlock::poke() {
    pin_.forget_refusal();
    return !pin_.is_asked();
}

std::optional<Trigger> SimUnlock::unlock(SteadyTime now) {
    if (!pin_.may_try(settings_.pin)) {
        return wait("sim_pin",
                    pin_.is_refused()
                        ? "the SIM did not take the configured PIN; it is not tried again"
                        : "the SIM wants its PIN; set `pin` for this modem (4 to 8 digits)",
                    now);
    }
    facts_.identity.iccid.clear();
    if (!cursor_.has(InitStep::pin_card)) {
        return ask_attempts(now);
    }
    cursor_.go_to(InitStep::pin_card, now);
    return std::nullopt;
}

std::optional<Trigger> SimUnlock::ask_attempts(SteadyTime now) {
    if (!cursor_.has(InitStep::pin_attempts)) {
        return judge_attempts(0, now);
    }
    cursor_.go_to(InitStep::pin_attempts, now);
    return std::nullopt;
}

/// Where they are enough, nothing is said until enter().
std::optional<Trigger> SimUnlock::judge_attempts(int left, SteadyTime now) {
    if (left < PinEntry::attempts_min) {
        cursor_.go_to(InitStep::pin_state, now);
        return wait(
            "sim_pin",
            "too few PIN attempts are left, or the modem does not say how many; enter it by hand",
            now);
    }
    cursor_.go_to(InitStep::pin_enter, never);
    const auto& identity = facts_.identity;
    pin_.ask({.card = ports::pin_card(
                  {.iccid = identity.iccid, .imei = identity.imei, .port = settings_.port.path}),
              .value = settings_.pin_value,
              .attempts_left = left});
    reporter_.tell(ports::PinWanted{pin_.asked()});
    return std::nullopt;
}

std::optional<Trigger> SimUnlock::enter(const ports::PinTry& pin, ports::PinVerdict verdict,
                                        SteadyTime now) {
    if (!pin_.answer(pin, verdict)) {
        return std::nullopt;
    }
    switch (verdict) {
        case ports::PinVerdict::enter:
            cursor_.try_at(now);
            return std::nullopt;
        case ports::PinVerdict::refused:
            cursor_.go_to(InitStep::pin_state, now);
            return wait("sim_pin",
                        "the SIM did not take the configured PIN earlier; it is not tried again: "
                        "enter it by hand, or configure the right one",
                        now);
        case ports::PinVerdict::later:
            break;
    }
    cursor_.go_to(InitStep::pin_state, now);
    return wait("sim_pin", "the PIN waits until it can be written to the disk that it was tried",
                now);
}

/// A busy SIM has not looked at it; whatever else is not OK counts as a failure.
void SimUnlock::end_entry(at::FinalResult result, SteadyTime now) {
    constexpr at::FinalResult sim_busy{at::FinalKind::cme_error, 14};
    cursor_.go_to(InitStep::pin_state, now);
    if (result.kind == at::FinalKind::ok) {
        cursor_.reset_pause();
        reporter_.tell(ports::PinTried{pin_.asked(), true});
        return;
    }
    if (result != sim_busy) {
        pin_.failed();
        reporter_.tell(ports::PinTried{pin_.asked(), false});
    }
    cursor_.try_again(now);
}

std::optional<Trigger> SimUnlock::wait(std::string_view reason, std::string detail,
                                       SteadyTime now) {
    reporter_.not_ready(reason, std::move(detail));
    waited_ = true;
    cursor_.try_again(now);
    return Trigger::sim_missing;
}

}  // namespace smsrack::gsm
